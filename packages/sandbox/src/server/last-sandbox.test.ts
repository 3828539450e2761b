import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lastSandbox, rememberSandbox } from "./last-sandbox.ts";

const ORIGIN = "http://127.0.0.1:4010";
const NAME = `sandbox-${process.pid}-4010.txt`;
let parent = "";
let folder = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "fieldmesh-last-"));
  folder = join(parent, "own");
});
afterEach(() => rmSync(parent, { recursive: true }));

test("an address is found until its sandbox ends, and only this user can read its folder and file", () => {
  const forget = rememberSandbox(ORIGIN, folder);
  expect(lastSandbox(folder)).toBe(ORIGIN);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, NAME)).mode & 0o777).toBe(0o600);
  forget();
  expect(lastSandbox(folder)).toBeUndefined();
  expect(existsSync(join(folder, NAME))).toBe(false);
});

test("a sandbox that ends keeps the addresses of running ones, and the last of them is found", () => {
  const forget = rememberSandbox(ORIGIN, folder);
  const [second, third] = ["http://127.0.0.1:4011", "http://127.0.0.1:4012"];
  startedAt(2, rememberSandbox(second, folder));
  const forgetThird = startedAt(3, rememberSandbox(third, folder));
  expect(lastSandbox(folder)).toBe(third);
  forgetThird();
  expect(lastSandbox(folder)).toBe(second);
  forget();
  expect(lastSandbox(folder)).toBe(second);
});

test("the address of a killed sandbox is not used, and the next sandbox removes it", () => {
  mkdirSync(folder, { mode: 0o700 });
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const left = join(folder, `sandbox-${pid}-4011.txt`);
  writeFileSync(left, "http://127.0.0.1:4011");
  expect(lastSandbox(folder)).toBeUndefined();
  rememberSandbox(ORIGIN, folder);
  expect(existsSync(left)).toBe(false);
});

/** Sets different times, because a file system may not distinguish two moments. */
function startedAt<T>(minutes: number, remembered: T): T {
  const [name = ""] = readdirSync(folder).toSorted().slice(-1);
  utimesSync(join(folder, name), minutes * 60, Date.now() / 1_000 + minutes * 60);
  return remembered;
}

test("a link in place of the file is replaced, and never followed to write or read", () => {
  mkdirSync(folder, { mode: 0o700 });
  const precious = join(parent, "precious.txt");
  writeFileSync(precious, ORIGIN);
  symlinkSync(precious, join(folder, NAME));
  expect(lastSandbox(folder)).toBeUndefined();
  rememberSandbox("http://localhost:4010", folder);
  expect(readFileSync(precious, "utf8")).toBe(ORIGIN);
  expect(lastSandbox(folder)).toBe("http://localhost:4010");
});

test("a link in place of the folder is not used", () => {
  const elsewhere = join(parent, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o700 });
  writeFileSync(join(elsewhere, NAME), ORIGIN);
  symlinkSync(elsewhere, folder);
  expect(lastSandbox(folder)).toBeUndefined();
  rememberSandbox("http://127.0.0.1:4011", folder);
  expect(readFileSync(join(elsewhere, NAME), "utf8")).toBe(ORIGIN);
});

test("a folder that others can write to, or read, is not used", () => {
  mkdirSync(folder);
  writeFileSync(join(folder, NAME), ORIGIN);
  for (const mode of [0o777, 0o770, 0o755]) {
    chmodSync(folder, mode);
    expect(lastSandbox(folder)).toBeUndefined();
    rememberSandbox("http://127.0.0.1:4011", folder);
    expect(readFileSync(join(folder, NAME), "utf8")).toBe(ORIGIN);
  }
});

test.each([
  "https://attacker.example",
  "http://10.0.0.1:4010",
  "not an address",
  "",
  "file:///etc/hosts",
])("%j in the file is not used as the address of a sandbox", (planted) => {
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, NAME), planted);
  expect(lastSandbox(folder)).toBeUndefined();
});

test("a sandbox starts even if its folder cannot be created", () => {
  writeFileSync(join(parent, "file"), "");
  const forget = rememberSandbox(ORIGIN, join(parent, "file", "own"));
  expect(lastSandbox(join(parent, "file", "own"))).toBeUndefined();
  forget();
});
