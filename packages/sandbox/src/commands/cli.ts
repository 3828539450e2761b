import { styleText } from "node:util";
import { type Clock, systemClock } from "@fieldmesh/core";
import manifest from "../../package.json" with { type: "json" };
import {
  checkEnvironmentFile,
  environmentOf,
  exportLines,
  writeEnvironmentFile,
} from "./environment.ts";
import { type CliOptions, HELP, readArguments, UsageError } from "./run-options.ts";
import { readWebhookCommand, runWebhookCommand, type WebhookCommand } from "./webhook-commands.ts";
import { type ServiceName, services } from "../services.ts";
import { rememberSandbox } from "../server/last-sandbox.ts";
import { type RunningSandbox, startSandbox } from "../server/start-sandbox.ts";

const USAGE_STATUS = 2;

// A reader such as head may end before all is written.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

try {
  const args = process.argv.slice(2);
  const command = readWebhookCommand(args, process.env);
  const request = command === undefined ? readArguments(args, process.env) : { command };
  if ("command" in request) await obey(request.command);
  else if ("options" in request) await run(request.options);
  else if (request.show === "help") process.stdout.write(HELP);
  else console.log(manifest.version);
} catch (error) {
  console.error(`fieldmesh-sandbox: ${sentence(error)}`);
  process.exitCode = error instanceof UsageError ? USAGE_STATUS : 1;
}

async function obey(command: WebhookCommand): Promise<void> {
  const { text, isAccepted } = await runWebhookCommand(command);
  console.log(text);
  if (!isAccepted) process.exitCode = 1;
}

async function run(options: CliOptions): Promise<void> {
  const { webhook: url, secret, env, ...own } = options;
  if (env !== undefined) checkEnvironmentFile(env);
  const sandbox = await startSandbox({ ...own, clock: systemClock });
  try {
    if (env !== undefined) writeEnvironmentFile(env, environmentOf(sandbox));
    if (url !== undefined) registerEndpoint(sandbox, url, secret);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  const forget = rememberSandbox(sandbox.origin);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      forget();
      void end(sandbox);
    });
  console.log(describe(sandbox, options));
}

function registerEndpoint(sandbox: RunningSandbox<Clock>, url: string, secret?: string): void {
  try {
    sandbox.webhooks.register({ url, secret });
  } catch (error) {
    throw new UsageError(`--webhook: ${sentence(error)}`);
  }
}

async function end(sandbox: { close(): Promise<void> }): Promise<void> {
  await sandbox.close();
  // A delay that a fault has ordered may still run.
  process.exit(0);
}

function describe(
  sandbox: RunningSandbox<Clock>,
  { faults, latency, seed, secret, env }: CliOptions,
): string {
  const { apiKey } = sandbox;
  const facts = [
    ...services.flatMap(({ name }) => describeService(name, sandbox[name])),
    ["Seed", seed ?? "1"],
    // For the receiver that is being built; a secret that was given is not this sandbox's to show.
    ...sandbox.webhooks.endpoints.map(({ url, secrets }) => [
      "Webhook",
      `${url}  ${secret === undefined ? secrets[0]?.reveal() : "signed with your secret"}`,
    ]),
    ...(latency === undefined ? [] : [["Latency", `${latency} ms`]]),
    ...(faults === undefined ? [] : [["Faults", faultText(faults)]]),
  ];
  const lines = facts.map(
    ([name = "", value = ""]) => `  ${styleText("dim", name.padEnd(8))}  ${value}`,
  );
  return [
    styleText("bold", `fieldmesh sandbox ${manifest.version}`),
    "",
    ...lines,
    "",
    ...(env === undefined
      ? exportLines(environmentOf(sandbox)).map((line) => `  ${line}`)
      : [`  The addresses and keys are in ${env}: node --env-file=${env} <program>`]),
    "",
    `  curl -H 'key: ${apiKey}' ${sandbox.console.baseUrl}/api/v1/labels`,
    `  curl ${sandbox.ledger.baseUrl}/v1/blocks/height`,
    "  fieldmesh-sandbox trigger sim.activated",
    "",
    styleText("dim", "Ctrl-C ends it."),
  ].join("\n");
}

function describeService(name: ServiceName, service: { baseUrl: string; apiKey?: string }) {
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const { baseUrl, apiKey } = service;
  const address = [title, styleText("cyan", baseUrl)];
  return apiKey === undefined ? [address] : [address, ["API key", styleText("cyan", apiKey)]];
}

function faultText({ rate, kinds }: NonNullable<CliOptions["faults"]>): string {
  const share = `${+(rate * 100).toFixed(2)} % of requests`;
  return kinds === undefined ? share : `${share}: ${kinds.join(", ")}`;
}

function sentence(error: unknown): string {
  const { code, port, message } = error as { code?: string; port?: number; message?: string };
  if (code === "EADDRINUSE")
    return `port ${port} is in use; choose another one, or leave --port out for a free one.`;
  if (code === "EACCES") return `port ${port} may not be used; choose one from 1024 up.`;
  if (message === "fetch failed") return "nobody answers at that address; is it started?";
  return message ?? String(error);
}
