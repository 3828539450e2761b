import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import { main } from "../src/commands/main.ts";
import { bundleProgram } from "../../../tools/bundle-program.ts";

/** How a command line ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user of a shell without a terminal. The environment names a running sandbox. */
export interface ProgramUser {
  readonly folder: string;
  /** An empty folder for what a command must not leave behind. */
  readonly temporary: string;
  readonly program: BuiltProgram;
  readonly sandbox: RunningSandbox;
  readonly env: NodeJS.ProcessEnv;
  /** Runs `fieldmesh` in this process, with arguments and additional environment variables. stdin is empty. */
  run(args: readonly string[], own?: NodeJS.ProcessEnv): Promise<Ended>;
  runNode(args: readonly string[], own?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Runs a script that calls `fieldmesh`. */
  bash(script: string): Promise<Ended>;
  close(): Promise<void>;
}

/** Builds the program from the sources, because a built package may be outdated, and starts a sandbox. */
export async function startUser(): Promise<ProgramUser> {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-bin-"));
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const program = await buildProgram(folder);
  const sandbox = await startSandbox();
  const env = {
    PATH: process.env["PATH"],
    FIELDMESH_CONFIG: join(folder, "config.json"),
    CONSOLE_URL: sandbox.console.baseUrl,
    CONSOLE_KEY: sandbox.apiKey,
    LEDGER_URL: sandbox.ledger.baseUrl,
    MAPPER_URL: sandbox.mapper.baseUrl,
  };
  const start = async (file: string, args: readonly string[], own = {}): Promise<Ended> => {
    const started = promisify(execFile)(file, args, { env: { ...env, ...own } });
    started.child.stdin?.end();
    return await started.then(
      (ended) => ({ code: 0, ...ended }),
      (error: unknown) => error as Ended,
    );
  };
  return {
    folder,
    temporary,
    program,
    sandbox,
    env,
    run: (args, own) => runHere(args, { ...env, ...own }),
    runNode: (args, own) => start(process.execPath, args, own),
    bash: (script) =>
      start("bash", [
        "--norc",
        "-c",
        `fieldmesh() { "${process.execPath}" "${program.file}" "$@"; }\n${script}`,
      ]),
    async close() {
      await sandbox.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Runs `fieldmesh` in this process, with these environment variables only. stdin is empty. */
export async function runHere(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const terminal = { stdin: Readable.from([]), stdout, stderr, env };
  const code = await main(args, terminal, new AbortController().signal);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}

/** A program that is built for a test. */
interface BuiltProgram {
  readonly file: string;
  /** Returns the sources of a built file, by its absolute path. */
  readonly sourcesOf: (file: string) => readonly string[];
}

/** Builds the program from the sources to a folder, as the published one is built. */
export async function buildProgram(folder: string): Promise<BuiltProgram> {
  const ours = join(import.meta.dirname, "..");
  const program = join(folder, "program");
  const sources = await bundleProgram(ours, join(program, "dist"));
  writeFileSync(join(program, "package.json"), '{ "type": "module" }');
  symlinkSync(join(ours, "node_modules"), join(program, "node_modules"));
  return {
    file: join(program, "dist", "cli.js"),
    sourcesOf: (file) => sources.get(file) ?? [file],
  };
}
