import { type FileHandle, open, readFile, rename, rm } from "node:fs/promises";
import { CommandError } from "./command-error.ts";

/**
 * Runs something while this process holds the lock of a file, `FILE.lock`. In a second process, it throws a {@link CommandError}
 * with exit code 1 that names the first one. The lock of a process that was killed is taken over.
 *
 * @example
 * ```ts
 * await withLock("place.json", async () => {
 *   // No other process that uses this lock works on place.json.
 * });
 * ```
 */
export async function withLock<T>(file: string, run: () => Promise<T>): Promise<T> {
  if (typeof file !== "string" || !NAME.test(file))
    throw new TypeError("withLock requires the path of a file.");
  if (typeof run !== "function")
    throw new TypeError("withLock requires a function that returns a promise.");
  const lock = `${file}.lock`;
  await take(lock, file);
  try {
    return await run();
  } finally {
    await rm(lock, { force: true });
  }
}

/** No file has a name with a zero byte. */
const NAME = /^[^\0]+$/;

async function take(lock: string, file: string): Promise<void> {
  while (!(await create(lock))) {
    const holder = await readHolder(lock);
    if (holder !== undefined && isRunning(holder))
      throw new CommandError(
        `Process ${holder} is working on ${file}: wait until it ends. If that process is not a fieldmesh command, delete ${lock} and run this command again.`,
      );
    await discard(lock, holder);
  }
}

/** Creates the lock, with the id of this process. Returns false if it exists. */
async function create(lock: string): Promise<boolean> {
  const handle = await openNew(lock);
  if (handle === undefined) return false;
  try {
    await handle.writeFile(String(process.pid));
    return true;
  } catch (error) {
    // On a full disk, nobody holds it.
    await rm(lock, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function openNew(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

/** Returns the id of the process that holds a lock, or `undefined` if the process was killed before it wrote the id. */
async function readHolder(lock: string): Promise<number | undefined> {
  const id = Number(await readFile(lock, "utf8").catch(() => ""));
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

/** Removes the lock of a process that has ended, unless another process has removed it and holds a new lock. */
async function discard(lock: string, holder: number | undefined): Promise<void> {
  const aside = `${lock}.${process.pid}`;
  try {
    await rename(lock, aside);
  } catch {
    return; // Another process was faster.
  }
  if ((await readHolder(aside)) === holder) await rm(aside, { force: true });
  else await rename(aside, lock);
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // The process of another user runs too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
