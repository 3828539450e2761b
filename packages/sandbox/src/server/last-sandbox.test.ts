import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lastSandbox, rememberSandbox } from "./last-sandbox.ts";

const ORIGIN = "http://127.0.0.1:4010";
let parent = "";
let folder = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "fieldmesh-last-"));
  folder = join(parent, "own");
});
afterEach(() => rmSync(parent, { recursive: true }));

test("an address is found until its sandbox ends, in a folder and a file that only this user can read", () => {
  const forget = rememberSandbox(ORIGIN, folder);
  expect(lastSandbox(folder)).toBe(ORIGIN);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "sandbox.txt")).mode & 0o777).toBe(0o600);
  forget();
  expect(lastSandbox(folder)).toBeUndefined();
  expect(existsSync(join(folder, "sandbox.txt"))).toBe(false);
});

test("a sandbox that ends leaves the address of one that was started later", () => {
  const forget = rememberSandbox(ORIGIN, folder);
  rememberSandbox("http://127.0.0.1:4011", folder);
  forget();
  expect(lastSandbox(folder)).toBe("http://127.0.0.1:4011");
});

test("a link in place of the file is replaced and not followed, neither to write nor to read", () => {
  mkdirSync(folder, { mode: 0o700 });
  const precious = join(parent, "precious.txt");
  writeFileSync(precious, ORIGIN);
  symlinkSync(precious, join(folder, "sandbox.txt"));
  expect(lastSandbox(folder)).toBeUndefined();
  rememberSandbox("http://127.0.0.1:4011", folder);
  expect(readFileSync(precious, "utf8")).toBe(ORIGIN);
  expect(lastSandbox(folder)).toBe("http://127.0.0.1:4011");
});

test("a link in place of the folder is not used", () => {
  const elsewhere = join(parent, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o700 });
  writeFileSync(join(elsewhere, "sandbox.txt"), ORIGIN);
  symlinkSync(elsewhere, folder);
  expect(lastSandbox(folder)).toBeUndefined();
  rememberSandbox("http://127.0.0.1:4011", folder);
  expect(readFileSync(join(elsewhere, "sandbox.txt"), "utf8")).toBe(ORIGIN);
});

test("a folder that others can write to, or read, is not used", () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "sandbox.txt"), ORIGIN);
  for (const mode of [0o777, 0o770, 0o755]) {
    chmodSync(folder, mode);
    expect(lastSandbox(folder)).toBeUndefined();
    rememberSandbox("http://127.0.0.1:4011", folder);
    expect(readFileSync(join(folder, "sandbox.txt"), "utf8")).toBe(ORIGIN);
  }
});

test.each([
  "https://attacker.example",
  "http://10.0.0.1:4010",
  "not an address",
  "",
  "file:///etc/hosts",
])("%j in the file is no address of a sandbox", (planted) => {
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, "sandbox.txt"), planted);
  expect(lastSandbox(folder)).toBeUndefined();
});

test("without a folder of its own, a sandbox starts all the same", () => {
  writeFileSync(join(parent, "file"), "");
  const forget = rememberSandbox(ORIGIN, join(parent, "file", "own"));
  expect(lastSandbox(join(parent, "file", "own"))).toBeUndefined();
  forget();
});
