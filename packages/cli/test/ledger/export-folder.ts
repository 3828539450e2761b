// A folder, a sandbox and an account for each test, and functions that export to the folder.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "@fieldmesh/sandbox";
import { beforeEach, onTestFinished } from "vitest";
import type { Input } from "../../src/command.ts";
import type { ListName } from "../../src/ledger/export/request.ts";
import { exportOf } from "../../src/ledger/export-list.ts";
import { runCommand, testContext, type TestContext, type TestContextOptions } from "../context.ts";
import { readBack, type Row } from "./read-back.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

export const DAY = { minTime: "2026-11-19T08:00:00Z", maxTime: "2026-11-20T08:00:00Z" };

export let folder: string;
export let sandbox: Sandbox;
export let address: string;

/** Each test file calls it: the files share this module, so its own hooks would belong to the first of them only. */
export function useExportFolder(): void {
  beforeEach(() => {
    folder = temporaryFolder(onTestFinished);
    sandbox = createSandbox();
    address = sandbox.ledger.state.chain.addresses.of(1);
  });
}

export const path = (name: string): string => join(folder, name);

interface Started extends TestContextOptions {
  readonly list?: ListName;
  readonly account?: string;
}

/** Runs an export to the folder. */
export async function run(
  name: string,
  options: Input["options"] = DAY,
  { list = "rewards", account = address, ...context }: Started = {},
): Promise<TestContext> {
  const made = testContext({ sandbox, ...context });
  await runCommand(exportOf(list).run, made, { out: path(name), ...options }, account);
  return made;
}

/** Runs an export that is stopped, as by Ctrl-C, after a number of requests. */
export async function stopAfter(
  requests: number,
  name: string,
  options: Input["options"] = DAY,
  ledger: Sandbox = sandbox,
) {
  const controller = new AbortController();
  let left = requests;
  const fetch: Sandbox["ledger"]["fetch"] = async (...request) => {
    if (left-- === 0) controller.abort();
    return await ledger.ledger.fetch(...request);
  };
  const context = {
    sandbox: { ...ledger, ledger: { ...ledger.ledger, fetch } },
    signal: controller.signal,
  };
  return options["partition"] === undefined
    ? await run(name, options, context)
    : await runFolder(options, name, context);
}

/** Writes a file with the addresses of accounts of the sandbox. */
export function writeAccounts(count: number): string {
  const { addresses } = sandbox.ledger.state.chain;
  const lines = Array.from({ length: count }, (_, index) => addresses.of(index + 1));
  writeFileSync(path("accounts.txt"), `# ours\n${lines.join("\n")}\n\n${lines[0]}\n`);
  return path("accounts.txt");
}

/** Runs an export to a folder in the folder. */
export async function runFolder(
  options: Input["options"],
  out: string,
  { list = "rewards", ...context }: Started = {},
): Promise<TestContext> {
  const made = testContext({ sandbox, ...context });
  await runCommand(exportOf(list).run, made, { out: path(out), ...options });
  return made;
}

export async function read(name: string): Promise<Row[]> {
  const format = name.split(".").at(-1) ?? "";
  return await (readBack[format] as (file: string) => Promise<Row[]>)(path(name));
}
