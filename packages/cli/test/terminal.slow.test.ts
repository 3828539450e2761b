import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram } from "./user.ts";
import { type Reply, runInTerminal } from "./terminal.ts";
import { temporaryFolder } from "../../../tools/testing/temporary-folder.ts";

const folder = temporaryFolder(afterAll);
const config = join(folder, "config.json");
let program: string;
let sandbox: RunningSandbox;
beforeAll(async () => {
  program = (await buildProgram(folder)).file;
  sandbox = await startSandbox({ latency: 50 });
});
afterAll(async () => {
  await sandbox.close();
});

const fieldmesh = (line: string, replies: readonly Reply[] = [], env: NodeJS.ProcessEnv = {}) =>
  runInTerminal([process.execPath, program, ...line.split(" ")], replies, {
    PATH: process.env["PATH"],
    FIELDMESH_CONFIG: config,
    CONSOLE_URL: sandbox.console.baseUrl,
    CONSOLE_KEY: sandbox.apiKey,
    LEDGER_URL: sandbox.ledger.baseUrl,
    ...env,
  });

test("a key is not shown while it is typed", async () => {
  const key = "typed-by-hand";
  const line = "profile set plant console --url https://console.example.com";
  const { code, shown } = await fieldmesh(line, [["Key of the console: ", `${key}\r`]]);
  expect([code, shown]).toEqual([0, `Key of the console: \r\nplant is in ${config}.\r\n`]);
  expect(readFileSync(config, "utf8")).toContain(key);
});

test("Ctrl-C at a question ends with exit code 130, and nothing is changed", async () => {
  const { code, shown } = await fieldmesh("console labels create --name No", [
    ["[y/N] ", "\u0003"],
  ]);
  expect(code).toBe(130);
  expect(shown).toContain("fieldmesh: Interrupted.");
  expect(sandbox.log.requests("labels.create")).toHaveLength(0);
});

test("the progress bar appears after a second, with rate, estimate and counts, and not with --quiet", async () => {
  const line = (name: string) => `ledger blocks list --limit 4000 --out ${join(folder, name)}`;
  const { code, shown } = await fieldmesh(line("loud"));
  expect(code).toBe(0);
  expect(shown).toMatch(/█.*[\d,]+ of 4,000 {2}[\d,]+\/s {2}\d+ s left/);
  expect(shown).toContain("4,000 records are in");
  expect((await fieldmesh(`${line("quiet")} --quiet`)).shown).toBe("");
});

test("a table has a bold heading on a terminal, and not with NO_COLOR", async () => {
  expect((await fieldmesh("ledger blocks height")).shown).toContain("\u001B[1mheight");
  const plain = await fieldmesh("ledger blocks height", [], { NO_COLOR: "1" });
  expect(plain.shown).toMatch(/^Ledger {2}\S+ {2}\(LEDGER_URL\)\r\nheight {2}\d+\r\n$/);
});
