// Why it is so: docs/decisions/38-the-state-of-a-run.md
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { aFunction, aSignal, milliseconds, mistake, options } from "@fieldmesh/core/internal";
import { replaceFile } from "../server/replace-file.ts";
import { CommandError } from "./command-error.ts";

/** A holder without a heartbeat for so long has ended. In milliseconds. */
const EXPIRES = 30_000;
/** The heartbeats in that time. A waiter looks as often. */
const BEATS = 30;
/** The looks without a heartbeat after which the user hears of the wait. */
const SILENT_LOOKS = 3;
const ONLY_THIS_USER = 0o700;
const HOLDER = "holder.json";

/** A lock that this process holds, unless it was paused for so long that another process has taken the lock over. */
export interface Lock {
  /** Aborts when the lock is lost, and with the signal of {@link withLock}. */
  readonly signal: AbortSignal;
  /** Throws a {@link CommandError} if the lock is lost. Call it before you change a file. */
  check(): void;
  /** Replaces a file beside the lock, with mode 0600. Throws a {@link CommandError}, and changes nothing, if the lock is lost. */
  readonly replace: (file: string, content: string) => void;
}

/**
 * Runs something while this process holds the lock of a file, the folder `FILE.lock`. While another process holds it, throws a
 * {@link CommandError} with exit code 1 that names that process. If that process was killed, waits until its heartbeat is 30
 * seconds old, and then holds the lock.
 *
 * @example
 * ```ts
 * await withLock("place.json", async (lock) => {
 *   lock.replace("place.json", "{}");
 * });
 * ```
 */
export async function withLock<T>(
  file: string,
  run: (lock: Lock) => Promise<T>,
  given: {
    /** Ends the wait for a process that was killed, and aborts the signal of the lock. */
    readonly signal?: AbortSignal;
    /** Tells the user about that wait. */
    readonly note?: (line: string) => void;
    /** After how many milliseconds without a heartbeat the lock is taken over. @default 30_000 */
    readonly expires?: number;
  } = {},
): Promise<T> {
  if (typeof file !== "string" || !NAME.test(file))
    throw mistake("withLock requires the path of a file.");
  if (typeof run !== "function")
    throw mistake("withLock requires a function that returns a promise.");
  const limits = readOptions(given);
  const { signal, expires = EXPIRES } = limits;
  const holder = { process: process.pid, host: hostname(), since: new Date().toISOString() };
  const own = await take(file, holder, limits);
  const lost = new AbortController();
  const lookForOwn = (): void => {
    if (!existsSync(own)) lost.abort(isLost(file, expires));
  };
  const check = (): void => {
    lookForOwn();
    lost.signal.throwIfAborted();
  };
  const timer = setInterval(() => {
    try {
      // Not "w": a waiter must never read half a heartbeat, and a full disk has room for what replaces it.
      writeFileSync(join(own, HOLDER), describe(holder), { flag: "r+" });
    } catch {
      lookForOwn();
    }
  }, expires / BEATS).unref();
  const replace = (path: string, content: string): void => {
    check();
    try {
      // The system does not find the temporary file if the lock was taken over meanwhile.
      replaceFile(path, content, own);
    } catch (error) {
      check();
      throw error;
    }
  };
  try {
    const signals = signal === undefined ? [lost.signal] : [signal, lost.signal];
    const result = await run({ signal: AbortSignal.any(signals), check, replace });
    lost.signal.throwIfAborted();
    return result;
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    clearInterval(timer);
    release(`${file}.lock`, own);
  }
}

type Limits = NonNullable<Parameters<typeof withLock>[2]>;

const readOptions = /* @__PURE__ */ options<Limits>("withLock", {
  signal: aSignal,
  note: aFunction,
  expires: /* @__PURE__ */ milliseconds(),
});

/** No file has a name with a zero byte. */
const NAME = /^[^\0]+$/;

interface Holder {
  readonly process: number;
  readonly host: string;
  readonly since: string;
}

/**
 * Takes the lock, and returns its inner folder, whose name is the token of this process. Looks are counted instead of comparing
 * times, so that neither the clocks of two machines nor a laptop that slept matter.
 */
async function take(
  file: string,
  holder: Holder,
  { signal, note = () => undefined, expires = EXPIRES }: Limits,
): Promise<string> {
  const lock = `${file}.lock`;
  const token = randomUUID();
  let seen: string | undefined;
  for (let looks = 0; ; looks++) {
    signal?.throwIfAborted();
    const found = look(lock);
    if (found === undefined) {
      if (create(lock, token, holder)) return join(lock, token);
      continue;
    }
    const { content } = found;
    if ((seen ??= found.token + content) !== found.token + content)
      throw new CommandError(
        `${subject(content, file)}: wait until it ends. If it is killed, the same command takes over ${seconds(expires)} seconds later.`,
      );
    if (looks === SILENT_LOOKS)
      note(
        `${subject(content, file)}, but shows no sign of life. If it shows none for ${seconds(expires)} seconds, this command takes over.`,
      );
    if (looks >= BEATS && takeOver(lock, found.token, token, holder)) return join(lock, token);
    await sleep(expires / BEATS, undefined, signal && { signal });
  }
}

/** Creates the lock. Returns false if it exists. */
function create(lock: string, token: string, holder: Holder): boolean {
  const prepared = `${lock}-${token}`;
  try {
    mkdirSync(prepared, ONLY_THIS_USER);
    mkdirSync(join(prepared, token), ONLY_THIS_USER);
    writeFileSync(join(prepared, token, HOLDER), describe(holder));
    release(lock);
    // The lock appears with its holder, and only if there is none.
    renameSync(prepared, lock);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if ((error as NodeJS.ErrnoException).syscall === "rename" && existsSync(lock)) return false;
    throw error;
  }
}

/** Takes the lock over. Of several waiters, only one finds the folder of the old token. */
function takeOver(lock: string, old: string, token: string, holder: Holder): boolean {
  try {
    renameSync(join(lock, old), join(lock, token));
    writeFileSync(join(lock, token, HOLDER), describe(holder));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Removes the folder of this process, and the lock unless another process holds it. */
function release(lock: string, own?: string): void {
  if (own !== undefined) rmSync(own, { recursive: true, force: true });
  try {
    rmdirSync(lock);
  } catch {
    // It is not empty, or does not exist.
  }
}

/** Returns the token and the heartbeat of the holder. */
function look(lock: string): { readonly token: string; readonly content: string } | undefined {
  const [token] = orIfMissing(() => readdirSync(lock), []);
  if (token === undefined) return undefined;
  return { token, content: orIfMissing(() => readFileSync(join(lock, token, HOLDER), "utf8"), "") };
}

function orIfMissing<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return otherwise;
    throw error;
  }
}

/** Returns a line that is different at each heartbeat. */
function describe(holder: Holder): string {
  return `${JSON.stringify({ ...holder, beat: randomUUID() })}\n`;
}

/** Such as `Process 7 on web-1 has been working on place.json since 2026-11-20T08:30:00.000Z`. */
function subject(content: string, file: string): string {
  try {
    const holder = JSON.parse(content) as Holder;
    return `Process ${holder.process} on ${holder.host} has been working on ${file} since ${holder.since}`;
  } catch {
    return `Another process is working on ${file}`;
  }
}

function isLost(file: string, expires: number): CommandError {
  return new CommandError(
    `Another process has taken over ${file}, because this one was paused for more than ${seconds(expires)} seconds, or its lock was deleted. This one has stopped. If the other one is not complete, run the same command again when it has ended.`,
  );
}

const seconds = (expires: number): number => expires / 1_000;
