import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { CommandError } from "./command-error.ts";
import { type Lock, withLock } from "./with-lock.ts";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

const QUICK = { expires: 300 };
const HELD = /^Process \d+ on .+ has been working on .*place\.json since 20[\dT:.-]+Z: wait until/;
let folder: string;
let file: string;
let lock: string;
beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "place.json");
  lock = `${file}.lock`;
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const never = () => Promise.reject(new Error("It ran."));

/** Creates the lock of a process that was killed. */
function leaveLock(token = "old", content = '{"process":7,"host":"web-1","since":"2026"}') {
  mkdirSync(join(lock, token), { recursive: true });
  if (content !== "") writeFileSync(join(lock, token, "holder.json"), content);
}

test("the lock names its holder while the work runs, for this user only, and is gone after it", async () => {
  await withLock(file, async () => {
    expect(readdirSync(folder)).toEqual(["place.json.lock"]);
    expect(statSync(lock).mode & 0o777).toBe(0o700);
    const [token = ""] = readdirSync(lock);
    expect(JSON.parse(readFileSync(join(lock, token, "holder.json"), "utf8"))).toMatchObject({
      process: process.pid,
      host: hostname(),
    });
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("the lock is gone after work that fails", async () => {
  await expect(withLock(file, never)).rejects.toThrow("It ran.");
  expect(readdirSync(folder)).toEqual([]);
});

test("a file that another process works on is an error with exit code 1 that names the process", async () => {
  await withLock(
    file,
    async () => {
      const error = (await withLock(file, never, QUICK).catch(
        (thrown: unknown) => thrown,
      )) as Error;
      expect(error).toBeInstanceOf(CommandError);
      expect(error).toMatchObject({ exitCode: 1, message: expect.stringMatching(HELD) as string });
      expect(await withLock(`${file}.other`, async () => "another file")).toBe("another file");
    },
    QUICK,
  );
});

test.each(["", "word", '{"process":7,"host":"web-1","since":"2026"}'])(
  "the lock of a killed process, with %j, is taken over after one note",
  async (content) => {
    leaveLock("old", content);
    const notes: string[] = [];
    const run = async () => readdirSync(folder);
    const during = await withLock(file, run, { ...QUICK, note: (line) => notes.push(line) });
    expect(during).toEqual(["place.json.lock"]);
    const who = content.startsWith("{")
      ? `Process 7 on web-1 has been working on ${file} since 2026`
      : `Another process is working on ${file}`;
    expect(notes).toEqual([
      `${who}, but shows no sign of life. If it shows none for 0.3 seconds, this command takes over.`,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("of several waiters, one takes the lock over, and the others name it", async () => {
  leaveLock();
  let running = 0;
  let most = 0;
  const run = async () => {
    most = Math.max(most, ++running);
    await sleep(100);
    running--;
  };
  const ends = await Promise.allSettled([1, 2, 3, 4].map(() => withLock(file, run, QUICK)));
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(most).toBe(1);
  for (const end of ends)
    if (end.status === "rejected") expect((end.reason as Error).message).toMatch(HELD);
});

test("a lock that its holder removes meanwhile is free, and so is an empty one", async () => {
  leaveLock();
  setTimeout(() => rmSync(lock, { recursive: true }), 50);
  expect(await withLock(file, async () => "done", QUICK)).toBe("done");
  mkdirSync(lock);
  expect(await withLock(file, async () => "done", QUICK)).toBe("done");
});

/** Takes the lock over, as another process does. */
const steal = () => renameSync(join(lock, readdirSync(lock)[0]!), join(lock, "thief"));

test.each<[string, (lock: Lock) => unknown]>([
  ["check", (held) => held.check()],
  ["replace", (held) => held.replace(file, "mine")],
  ["its signal", async ({ signal }) => await sleep(5_000, undefined, { signal })],
  ["an end that swallows it", async ({ signal }) => await once(signal, "abort")],
])("a process that has lost the lock stops at %s, and changes nothing", async (_, next) => {
  const run = async (held: Lock): Promise<void> => {
    steal();
    await next(held);
  };
  await expect(withLock(file, run, QUICK)).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringMatching(
      /^Another process has taken over .*This one has stopped/,
    ) as string,
  });
  // The new holder keeps its lock, and what was being written is not beside the file.
  expect(readdirSync(folder)).toEqual(["place.json.lock"]);
  expect(readdirSync(lock)).toEqual(["thief"]);
});

test("a process that is paused between its check and its write changes nothing", async () => {
  const rename = fs.renameSync;
  const run = async (held: Lock): Promise<void> => {
    vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
      rename(join(lock, readdirSync(lock)[0]!), join(lock, "thief"));
      rename(from, to);
    });
    syncBuiltinESMExports();
    held.replace(file, "mine");
  };
  await expect(withLock(file, run, QUICK)).rejects.toThrow("Another process has taken over");
  expect(existsSync(file)).toBe(false);
});

test("the signal ends the wait, and aborts that of the lock", async () => {
  leaveLock();
  await expect(withLock(file, never, { signal: AbortSignal.timeout(50) })).rejects.toThrow(
    "aborted",
  );
  rmSync(lock, { recursive: true });
  const run = async (held: Lock) => await sleep(5_000, undefined, { signal: held.signal });
  await expect(withLock(file, run, { signal: AbortSignal.timeout(50) })).rejects.toThrow("aborted");
});

test("on a full disk, no lock is left, and the error is that of the disk", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  vi.spyOn(fs, "writeFileSync").mockImplementationOnce(() => {
    throw full;
  });
  syncBuiltinESMExports();
  await expect(withLock(file, never)).rejects.toBe(full);
  expect(readdirSync(folder)).toEqual([]);
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

test("an option that does not exist or has another type is an error, before a lock is created", async () => {
  await expect(withLock(file, never, { expire: 300 } as never)).rejects.toThrow(
    new TypeError('withLock has no option "expire". Did you mean "expires"?'),
  );
  await expect(withLock(file, never, { note: "line" } as never)).rejects.toThrow(
    new TypeError("note must be a function; it is a string."),
  );
  expect(readdirSync(folder)).toEqual([]);
});
