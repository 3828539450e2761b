import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CommandError } from "./command-error.ts";
import { withLock } from "./with-lock.ts";

let folder: string;
let file: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fieldmesh-lock-"));
  file = join(folder, "place.json");
  lock = `${file}.lock`;
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const inUse = (holder: number) =>
  new CommandError(
    `Process ${holder} is working on ${file}: wait until it ends. If that process is not a fieldmesh command, delete ${lock} and run this command again.`,
  );
const never = () => Promise.reject(new Error("It ran."));

test("the lock contains the id of the process while the work runs, and is gone after it", async () => {
  const during = await withLock(file, async () => [
    readdirSync(folder),
    readFileSync(lock, "utf8"),
  ]);
  expect(during).toEqual([["place.json.lock"], String(process.pid)]);
  expect(readdirSync(folder)).toEqual([]);
});

test("the lock is gone after work that fails, or that deletes the lock itself", async () => {
  await expect(withLock(file, never)).rejects.toThrow("It ran.");
  expect(readdirSync(folder)).toEqual([]);
  expect(await withLock(file, async () => rmSync(lock))).toBeUndefined();
});

test("a file that another process works on is an error with exit code 1 that names the process", async () => {
  await withLock(file, async () => {
    await expect(withLock(file, never)).rejects.toEqual(inUse(process.pid));
    await expect(withLock(file, never)).rejects.toMatchObject({ exitCode: 1 });
    expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
    expect(await withLock(`${file}.other`, async () => "another file")).toBe("another file");
  });
});

test("a process of another user holds its lock too", async () => {
  writeFileSync(lock, "4711");
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  });
  await expect(withLock(file, never)).rejects.toEqual(inUse(4711));
  expect(kill).toHaveBeenCalledExactlyOnceWith(4711, 0);
});

test("the lock of a killed process is taken over", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(lock, String(pid));
  expect(await withLock(file, async () => readFileSync(lock, "utf8"))).toBe(String(process.pid));
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["", "word", "0", "-1", "1.5"])(
  "a lock with %j, which is no id of a process, is taken over",
  async (text) => {
    writeFileSync(lock, text);
    expect(await withLock(file, async () => readdirSync(folder))).toEqual(["place.json.lock"]);
  },
);

/** Says that the holder has ended, after another process has changed the lock. */
function meanwhile(change: () => void): void {
  vi.spyOn(process, "kill").mockImplementationOnce(() => {
    change();
    throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
  });
}

test("a lock that another process takes over first is left to that process", async () => {
  writeFileSync(lock, "4711");
  meanwhile(() => writeFileSync(lock, String(process.pid)));
  await expect(withLock(file, never)).rejects.toEqual(inUse(process.pid));
  expect(readdirSync(folder)).toEqual(["place.json.lock"]);
  expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
});

test("a lock that another process removes first is free", async () => {
  writeFileSync(lock, "4711");
  meanwhile(() => rmSync(lock));
  expect(await withLock(file, async () => "done")).toBe("done");
});

test("on a full disk, no lock is left, and the error is that of the disk", async () => {
  const handle = await open(join(folder, "any"), "w");
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  const writing = vi.spyOn(prototype, "writeFile").mockRejectedValueOnce(full);
  await expect(withLock(file, never)).rejects.toBe(full);
  expect(readdirSync(folder)).toEqual(["any"]);
  // Another process may have removed it, because it names no process.
  writing.mockImplementationOnce(async () => {
    rmSync(lock);
    throw full;
  });
  await expect(withLock(file, never)).rejects.toBe(full);
  expect(readdirSync(folder)).toEqual(["any"]);
});

const OPEN_FILES = "/proc/self/fd";

test.runIf(existsSync(OPEN_FILES))("the lock is not an open file while the work runs", async () => {
  const files = await withLock(file, async () =>
    readdirSync(OPEN_FILES).map((name) => {
      try {
        return readlinkSync(join(OPEN_FILES, name));
      } catch {
        return ""; // Closed meanwhile.
      }
    }),
  );
  expect(files).not.toContain(lock);
});

test("a folder that does not exist is an error, and nothing runs", async () => {
  await expect(withLock(join(folder, "missing", "a"), never)).rejects.toMatchObject({
    code: "ENOENT",
  });
});

test.each([undefined, 7, "", "a\0b"])("%j is not the path of a file", async (wrong) => {
  await expect(withLock(wrong as string, never)).rejects.toThrow(
    new TypeError("withLock requires the path of a file."),
  );
});

test("what is to run has to be a function, before a lock is created", async () => {
  await expect(withLock(file, "run" as never)).rejects.toThrow(
    new TypeError("withLock requires a function that returns a promise."),
  );
  expect(readdirSync(folder)).toEqual([]);
});
