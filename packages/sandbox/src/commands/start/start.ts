import { once } from "node:events";
import type { Clock } from "@fieldmesh/core";
import { createSteerableClock } from "../../engine/time/clocks.ts";
import { rememberSandbox } from "../../server/last-sandbox.ts";
import {
  checkSnapshotFile,
  parseSnapshot,
  readSnapshot,
  saveSnapshot,
} from "../../server/snapshot-file.ts";
import { isPipe, readFileOrPipe } from "../read-stream.ts";
import {
  isLocalHost,
  type RunningSandbox,
  startSandbox,
  type StartOptions,
} from "../../server/start-sandbox.ts";
import type { CommandContext, RunCommand } from "../command.ts";
import { UsageError, listenFailure } from "../command-error.ts";
import { readSecretIfGiven } from "../read-input.ts";
import { SANDBOX_PORT, SANDBOX_PORTS } from "../sandbox-port.ts";
import { shownPath } from "../shown-path.ts";
import { describeSandbox } from "./describe-sandbox.ts";
import { checkEnvironmentFile, environmentOf, writeEnvironmentFile } from "./environment.ts";
import { showActivity } from "./show-activity.ts";
import { readSettings, type SandboxSettings } from "./read-options.ts";
import { inWordsOfFlags } from "./read-switches.ts";
import { createServer } from "node:net";

export const run: RunCommand = async (context, input) => {
  const settings = readSettings(input);
  const { webhook, env, from, save, ...own } = settings;
  const secret = webhook === undefined ? undefined : await readSecretIfGiven(context, input);
  if (env !== undefined) checkEnvironmentFile(env);
  if (save !== undefined) orUsageError("--save", () => checkSnapshotFile(save), save);
  const piped = from && (await isPipe(from)) && (await readFileOrPipe(from, context.signal));
  const read = (file: string) =>
    piped ? parseSnapshot(piped.toString(), file) : readSnapshot(file);
  const snapshot = from === undefined ? undefined : orUsageError("--from", () => read(from), from);
  const port = own.port ?? (await freeSandboxPort(own.host));
  const sandbox = await start({ ...own, port, snapshot, clock: createSteerableClock() });
  if (own.port === undefined && port !== SANDBOX_PORT)
    context.output.note(`Port ${SANDBOX_PORT} is in use, so this sandbox listens on ${port}.`);
  try {
    if (env !== undefined) writeEnvironmentFile(env, environmentOf(sandbox));
    if (webhook !== undefined)
      orUsageError("--webhook", () =>
        sandbox.webhooks.register({ url: webhook, secret: secret?.reveal() }),
      );
    const forget = rememberSandbox(sandbox.page);
    await announce(context, sandbox, settings, secret !== undefined);
    if (context.output.isQuiet !== true) showActivity(sandbox, context.output, context.program);
    if (!context.signal.aborted) await once(context.signal, "abort");
    forget();
    if (save !== undefined) writeSave(save, sandbox, context.output);
  } finally {
    await sandbox.close();
  }
};

async function start(options: StartOptions<Clock>): Promise<RunningSandbox<Clock>> {
  try {
    return await startSandbox(options);
  } catch (error) {
    // The snapshot or the value of a switch, because all else was checked when the command line was read.
    if (error instanceof TypeError)
      throw new UsageError(
        options.snapshot === undefined ? inWordsOfFlags(error.message) : `--from: ${error.message}`,
      );
    throw listenFailure(error) ?? error;
  }
}

function orUsageError<T>(option: string, work: () => T, file = ""): T {
  try {
    return work();
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(`${option}: ${message.replace(file, () => shownPath(file, "the file"))}`);
  }
}

async function announce(
  { output, program }: CommandContext,
  sandbox: RunningSandbox<Clock>,
  settings: SandboxSettings,
  hasSecret: boolean,
): Promise<void> {
  const { host } = settings;
  if (host !== undefined && !isLocalHost(host))
    output.note(
      `Warning: with --host ${host}, every machine on the network can reach this sandbox and call its services. Its page and controls require the token.`,
    );
  if (output.isJson) await output.record(environmentOf(sandbox));
  else await output.line(describeSandbox(sandbox, settings, { hasSecret, program }));
}

/** Writes the file of --save. A failure is told, because Ctrl-C has ended the command already. */
function writeSave(
  file: string,
  sandbox: RunningSandbox<Clock>,
  output: CommandContext["output"],
): void {
  try {
    saveSnapshot(file, sandbox.snapshot());
    output.note(`The snapshot is in ${file}. It contains all keys.`);
  } catch (error) {
    output.note(`--save: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** Returns the port of the sandbox if it is free, otherwise the next free one of ten. Throws a UsageError if none is. */
async function freeSandboxPort(host: string | undefined): Promise<number> {
  for (let port = SANDBOX_PORT; port < SANDBOX_PORT + SANDBOX_PORTS; port++)
    if (await isFree(port, host)) return port;
  throw new UsageError(
    `Ports ${SANDBOX_PORT} to ${SANDBOX_PORT + SANDBOX_PORTS - 1} are in use. Stop a sandbox that you no longer need, or choose a port with --port; --port 0 is any free one.`,
  );
}

async function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, host, resolve);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw listenFailure(error) ?? error;
  } finally {
    server.close();
  }
}
