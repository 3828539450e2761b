import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { lastSandbox, rememberSandbox } from "./last-sandbox.ts";

// Which files name a sandbox. `last-sandbox.test.ts` has who may read and write them.

const ONE = "http://127.0.0.1:4011";
const TWO = "http://127.0.0.1:4012";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(os.tmpdir(), "fieldmesh-last-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const fileOf = (port: number | string) => join(folder, `sandbox-${process.pid}-${port}.txt`);

/** Writes a file as a sandbox does that was started some minutes ago. */
function plant(name: string, text: string, minutesAgo = 0): void {
  writeFileSync(join(folder, name), text);
  const at = Date.now() / 1_000 - minutesAgo * 60;
  utimesSync(join(folder, name), at, at);
}

test("the file has the whole address, and the token is found with it", () => {
  const address = `${ONE}/#token=t-1`;
  rememberSandbox(address, folder);
  expect(readdirSync(folder)).toEqual([`sandbox-${process.pid}-4011.txt`]);
  expect(readFileSync(fileOf(4011), "utf8")).toBe(address);
  expect(lastSandbox(folder)).toBe(address);
});

test("only the origin and the token of an address are used", () => {
  plant(`sandbox-${process.pid}-1.txt`, `${ONE}/path?query=1#token=t`);
  expect(lastSandbox(folder)).toBe(`${ONE}/#token=t`);
  plant(`sandbox-${process.pid}-1.txt`, `${ONE}/path?query=1`);
  expect(lastSandbox(folder)).toBe(ONE);
});

test("with an origin, the sandbox at this origin is found, also if another one was started later", () => {
  plant(`sandbox-${process.pid}-4011.txt`, `${ONE}/#token=one`, 2);
  plant(`sandbox-${process.pid}-4012.txt`, `${TWO}/#token=two`, 1);
  expect(lastSandbox(folder)).toBe(`${TWO}/#token=two`);
  expect(lastSandbox(folder, ONE)).toBe(`${ONE}/#token=one`);
  expect(lastSandbox(folder, TWO)).toBe(`${TWO}/#token=two`);
  expect(lastSandbox(folder, "http://127.0.0.1:4013")).toBeUndefined();
  expect(lastSandbox(folder, "http://localhost:4011")).toBeUndefined();
});

test("without an origin, only the last one counts: an older one is not used if it is invalid", () => {
  plant(`sandbox-${process.pid}-4011.txt`, ONE, 2);
  plant(`sandbox-${process.pid}-4012.txt`, "https://attacker.example", 1);
  expect(lastSandbox(folder)).toBeUndefined();
  expect(lastSandbox(folder, ONE)).toBe(ONE);
});

test.each([
  `x-sandbox-${process.pid}-1.txt`,
  `sandbox-${process.pid}-1.txt.bak`,
  `sandbox-${process.pid}-1_txt`,
  `sandbox-${process.pid}-a.txt`,
  `sandbox-${process.pid}.txt`,
  "sandbox-me-1.txt",
  `new-${process.pid}-1.txt`,
])("the file %s names no sandbox, and no sandbox removes it", (name) => {
  plant(name, ONE);
  expect(lastSandbox(folder)).toBeUndefined();
  rememberSandbox(TWO, folder);
  expect(existsSync(join(folder, name))).toBe(true);
});

test("a folder with the name of a file is not read", () => {
  plant(`sandbox-${process.pid}-4011.txt`, ONE, 1);
  mkdirSync(fileOf(4012));
  expect(lastSandbox(folder)).toBe(ONE);
});

test("of a long file, the first 200 characters are the address", () => {
  const token = "t".repeat(200 - `${ONE}/#token=`.length);
  plant(`sandbox-${process.pid}-1.txt`, `${ONE}/#token=${token}rest`);
  expect(lastSandbox(folder)).toBe(`${ONE}/#token=${token}`);
});

test("the address of a process that has ended is skipped", () => {
  plant("sandbox-4711-4012.txt", TWO);
  plant(`sandbox-${process.pid}-4011.txt`, ONE, 1);
  vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    if (pid === process.pid && signal === 0) return true;
    throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
  });
  expect(lastSandbox(folder)).toBe(ONE);
  rememberSandbox("http://127.0.0.1:4013", folder);
  expect(readdirSync(folder).toSorted()).toEqual(
    [`sandbox-${process.pid}-4011.txt`, `sandbox-${process.pid}-4013.txt`].toSorted(),
  );
});

test("a file that another sandbox removes first does not prevent an entry", () => {
  plant("sandbox-4711-4012.txt", TWO);
  vi.spyOn(process, "kill").mockImplementationOnce(() => {
    rmSync(join(folder, "sandbox-4711-4012.txt"));
    throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
  });
  rememberSandbox(ONE, folder);
  expect(lastSandbox(folder)).toBe(ONE);
});

test("an address without a port has a file too, and an entry may be removed twice", () => {
  const forget = rememberSandbox("http://127.0.0.1/", folder);
  expect(existsSync(fileOf(""))).toBe(true);
  expect(lastSandbox(folder)).toBe("http://127.0.0.1");
  forget();
  forget();
  expect(lastSandbox(folder)).toBeUndefined();
});

test("a folder of another user is not used; where users have no number, as on Windows, it is", () => {
  plant(`sandbox-${process.pid}-4011.txt`, ONE);
  const getuid = vi.spyOn(process as { getuid: () => number | undefined }, "getuid");
  getuid.mockReturnValue(4_711);
  expect(lastSandbox(folder)).toBeUndefined();
  rememberSandbox(TWO, folder);
  expect(existsSync(fileOf(4012))).toBe(false);
  getuid.mockReturnValue(undefined);
  expect(lastSandbox(folder)).toBe(ONE);
});

test("the folder is that of the session, or else the cache of the user", () => {
  const [session, home] = [join(folder, "session"), join(folder, "home")];
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
