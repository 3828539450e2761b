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
import { syncBuiltinESMExports } from "node:module";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
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

// Which files name a sandbox. `last-sandbox.test.ts` has who may read and write them.

const ONE = "http://127.0.0.1:4011";
const TWO = "http://127.0.0.1:4012";
let own: string;
beforeEach(() => {
  own = mkdtempSync(join(os.tmpdir(), "fieldmesh-last-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(own, { recursive: true });
});

const fileOf = (port: number | string) => join(own, `sandbox-${process.pid}-${port}.txt`);

/** Writes a file as a sandbox does that was started some minutes ago. */
function plant(name: string, text: string, minutesAgo = 0): void {
  writeFileSync(join(own, name), text);
  const at = Date.now() / 1_000 - minutesAgo * 60;
  utimesSync(join(own, name), at, at);
}

test("the file has the whole address, and the token is found with it", () => {
  const address = `${ONE}/#token=t-1`;
  rememberSandbox(address, own);
  expect(readdirSync(own)).toEqual([`sandbox-${process.pid}-4011.txt`]);
  expect(readFileSync(fileOf(4011), "utf8")).toBe(address);
  expect(lastSandbox(own)).toBe(address);
});

test("only the origin and the token of an address are used", () => {
  plant(`sandbox-${process.pid}-1.txt`, `${ONE}/path?query=1#token=t`);
  expect(lastSandbox(own)).toBe(`${ONE}/#token=t`);
  plant(`sandbox-${process.pid}-1.txt`, `${ONE}/path?query=1`);
  expect(lastSandbox(own)).toBe(ONE);
});

test("with an origin, the sandbox at this origin is found, also if another one was started later", () => {
  plant(`sandbox-${process.pid}-4011.txt`, `${ONE}/#token=one`, 2);
  plant(`sandbox-${process.pid}-4012.txt`, `${TWO}/#token=two`, 1);
  expect(lastSandbox(own)).toBe(`${TWO}/#token=two`);
  expect(lastSandbox(own, ONE)).toBe(`${ONE}/#token=one`);
  expect(lastSandbox(own, TWO)).toBe(`${TWO}/#token=two`);
  expect(lastSandbox(own, "http://127.0.0.1:4013")).toBeUndefined();
  expect(lastSandbox(own, "http://localhost:4011")).toBeUndefined();
});

test.each([
  `x-sandbox-${process.pid}-1.txt`,
  `sandbox-${process.pid}-1.txt.bak`,
  "sandbox-me-1.txt",
  `new-${process.pid}-1.txt`,
])("the file %s names no sandbox, and no sandbox removes it", (name) => {
  plant(name, ONE);
  expect(lastSandbox(own)).toBeUndefined();
  rememberSandbox(TWO, own);
  expect(existsSync(join(own, name))).toBe(true);
});

test("a folder of another user is not used; where users have no number, as on Windows, it is", () => {
  plant(`sandbox-${process.pid}-4011.txt`, ONE);
  const getuid = vi.spyOn(process as { getuid: () => number | undefined }, "getuid");
  getuid.mockReturnValue(4_711);
  expect(lastSandbox(own)).toBeUndefined();
  rememberSandbox(TWO, own);
  expect(existsSync(fileOf(4012))).toBe(false);
  getuid.mockReturnValue(undefined);
  expect(lastSandbox(own)).toBe(ONE);
});

test("the folder is that of the session, or else the cache of the user", () => {
  const [session, home] = [join(own, "session"), join(own, "home")];
  for (const each of [session, home]) mkdirSync(each);
  // Not by a variable of the environment, which has no effect in a thread.
  const spy = vi.spyOn(os, "homedir").mockReturnValue(home);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  vi.stubEnv("XDG_RUNTIME_DIR", session);
  rememberSandbox(ONE);
  expect(readdirSync(join(session, "fieldmesh"))).toHaveLength(1);
  expect(lastSandbox()).toBe(ONE);
  for (const none of [undefined, ""]) {
    vi.stubEnv("XDG_RUNTIME_DIR", none);
    expect(lastSandbox()).toBeUndefined();
    rememberSandbox(TWO)();
  }
  rememberSandbox(TWO);
  const cache = join(home, ".cache", "fieldmesh");
  expect(readdirSync(cache)).toHaveLength(1);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(lastSandbox()).toBe(TWO);
});
