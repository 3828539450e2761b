import { styleText } from "node:util";
import { systemClock } from "@fieldmesh/core";
import { version } from "../package.json";
import { type CliOptions, HELP, readArguments, UsageError } from "./cli-options.js";
import { type RunningSandbox, startSandbox } from "./start-sandbox.js";

const USAGE_STATUS = 2;

try {
  const request = readArguments(process.argv.slice(2));
  if ("options" in request) await run(request.options);
  else if (request.show === "help") process.stdout.write(HELP);
  else console.log(version);
} catch (error) {
  console.error(`fieldmesh-sandbox: ${sentence(error)}`);
  process.exitCode = error instanceof UsageError ? USAGE_STATUS : 1;
}

async function run(options: CliOptions): Promise<void> {
  const sandbox = await startSandbox({ ...options, clock: systemClock });
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void end(sandbox));
  console.log(describe(sandbox, options));
}

async function end(sandbox: { close(): Promise<void> }): Promise<void> {
  await sandbox.close();
  // A delay that a fault has ordered may still run.
  process.exit(0);
}

function describe(
  { apiKey, console: { baseUrl }, ledger }: Pick<RunningSandbox, "apiKey" | "console" | "ledger">,
  { faults, latency, seed }: CliOptions,
): string {
  const facts = [
    ["Console", styleText("cyan", baseUrl)],
    ["API key", styleText("cyan", apiKey)],
    ["Ledger", styleText("cyan", ledger.baseUrl)],
    ["Seed", seed ?? "1"],
    ...(latency === undefined ? [] : [["Latency", `${latency} ms`]]),
    ...(faults === undefined ? [] : [["Faults", faultText(faults)]]),
  ];
  const lines = facts.map(
    ([name = "", value = ""]) => `  ${styleText("dim", name.padEnd(8))}  ${value}`,
  );
  return [
    styleText("bold", `fieldmesh sandbox ${version}`),
    "",
    ...lines,
    "",
    `  curl -H 'key: ${apiKey}' ${baseUrl}/api/v1/labels`,
    `  curl ${ledger.baseUrl}/v1/blocks/height`,
    "",
    styleText("dim", "Ctrl-C ends it."),
  ].join("\n");
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
  return message ?? String(error);
}
