import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Clock } from "@fieldmesh/core";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type RunningSandbox, startSandbox } from "../../server/start-sandbox.ts";
import { UsageError } from "../command-error.ts";
import {
  checkEnvironmentFile,
  environmentOf,
  exportLines,
  writeEnvironmentFile,
} from "./environment.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "sandbox.env");
});

const VARIABLES = { CONSOLE_URL: "http://127.0.0.1:1/console", FIELDMESH_SANDBOX: "http://a/#t" };

test("the variables of a sandbox are its addresses and keys, an account with rewards, and its page", async () => {
  await using sandbox = await startSandbox();
  const { origin } = sandbox;
  const variables = environmentOf(sandbox as unknown as RunningSandbox<Clock>);
  const { LEDGER_ACCOUNT } = variables;
  expect(variables).toEqual({
    CONSOLE_URL: `${origin}/console`,
    CONSOLE_KEY: sandbox.console.apiKey,
    LEDGER_URL: `${origin}/ledger`,
    MAPPER_URL: `${origin}/mapper`,
    MOBILE_URL: `${origin}/mobile`,
    MOBILE_KEY: sandbox.mobile.apiKey,
    LEDGER_ACCOUNT,
    FIELDMESH_SANDBOX: sandbox.page,
  });
  const rewards = `${origin}/ledger/v1/accounts/${LEDGER_ACCOUNT}/rewards?min_time=-1%20day`;
  const response = await fetch(rewards, { headers: { "user-agent": "tests" } });
  expect(await response.json()).toHaveProperty("data.0.account", LEDGER_ACCOUNT);
});

test("lines for a shell export each variable, and quote what has a number sign", () => {
  expect(exportLines(VARIABLES)).toEqual([
    "export CONSOLE_URL=http://127.0.0.1:1/console",
    "export FIELDMESH_SANDBOX='http://a/#t'",
  ]);
});

test("the file says who wrote it, only this user can read it, and Node reads the same variables", () => {
  writeEnvironmentFile(file, VARIABLES);
  const text = readFileSync(file, "utf8");
  expect(text).toBe(
    "# Written by fieldmesh-sandbox, which may write it again.\nCONSOLE_URL=http://127.0.0.1:1/console\nFIELDMESH_SANDBOX='http://a/#t'\n",
  );
  expect(parseEnv(text)).toEqual(VARIABLES);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["sandbox.env"]);
});

test("a file that a sandbox wrote may be written again, and so may one that does not exist", () => {
  expect(checkEnvironmentFile(file)).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  writeEnvironmentFile(file, VARIABLES);
  expect(checkEnvironmentFile(file)).toBeUndefined();
  writeEnvironmentFile(file, { CONSOLE_URL: "new" });
  expect(readFileSync(file, "utf8")).toMatch(/\nCONSOLE_URL=new\n$/);
});

test.each([
  "",
  "CONSOLE_KEY=mine\n",
  "\n# Written by fieldmesh-sandbox, which may write it again.",
])("a file with %j was not written by a sandbox", (text) => {
  writeFileSync(file, text);
  expect(() => checkEnvironmentFile(file)).toThrow(
    new UsageError(
      `${file} exists and was not written by a sandbox, so it was not changed. Choose another name for --env.`,
    ),
  );
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a link is replaced, and its target is not changed", () => {
  const target = join(folder, "target.env");
  writeFileSync(target, "mine");
  symlinkSync(target, file);
  writeEnvironmentFile(file, VARIABLES);
  expect(readFileSync(target, "utf8")).toBe("mine");
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
});

test("a folder cannot be read as the file, and a missing folder cannot be written to", () => {
  expect(() => checkEnvironmentFile(folder)).toThrow(
    new UsageError(`${folder} cannot be read. Choose another name for --env.`),
  );
  const inside = join(folder, "missing", ".env");
  expect(() => writeEnvironmentFile(inside, VARIABLES)).toThrow(
    new UsageError(`The file cannot be written. Choose another name for --env.`),
  );
});
