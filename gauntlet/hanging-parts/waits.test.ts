import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { waits } from "./index.ts";
import { FAULTS, type Fault, type Part } from "./row.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const HOUR = 3_600_000;
/** A part that was late settles this long after its limit. */
const LATE_BY = 1_000;
/** What was given up may be tried again after this time. */
const PAUSE = 60_000;
const faults = Object.keys(FAULTS) as Fault[];

describe.each(waits)("$part", (wait) => {
  test.each(faults)(
    "%s: the call ends as the table says, and the next one works",
    async (fault) => {
      const warn = vi.spyOn(console, "warn").mockReturnValue();
      const { prepare, use, abort } = wait.start(breakOnce(fault, wait.limit ?? HOUR));
      await prepare?.();
      await pass(PAUSE);
      let ended: string | undefined;
      const using = named(use()).then((how) => (ended = how));
      const isSlow = fault === "never" || fault === "late";
      if (isSlow && wait.limit !== 0) {
        await pass((wait.limit ?? HOUR) - 1);
        expect(ended, "before the limit").toBeUndefined();
        await pass(1);
      }
      if (wait.limit === undefined && fault === "never") abort?.();
      await pass(LATE_BY);
      expect(ended).toBe(wait.ends[fault]);
      await using;
      const { warns } = wait;
      if (warns !== undefined) {
        const warnings = warn.mock.calls.filter(([text]) => String(text).startsWith(warns));
        expect(warnings).toHaveLength(isSlow ? 1 : 0);
      }
      await pass(PAUSE);
      let next: string | undefined;
      void named(use()).then((how) => (next = how));
      await pass(LATE_BY);
      expect(next).toBe(wait.works);
    },
  );
});

/** An error is named by its class. */
function named(using: Promise<string>): Promise<string> {
  return using.catch((error: unknown) => (error as Error).name);
}

/** Returns a part that misbehaves the first time. */
function breakOnce(fault: Fault, limit: number): Part {
  let isFirst = true;
  return <T>(good: T, odd: unknown): T | Promise<T> => {
    if (!isFirst) return good;
    isFirst = false;
    if (fault === "odd") return odd as T;
    if (fault === "never") return new Promise<T>(() => undefined);
    if (fault === "late")
      return new Promise<T>((resolve) => setTimeout(resolve, limit + LATE_BY / 2, good));
    return {
      // oxlint-disable-next-line unicorn/no-thenable -- a promise of others may be no promise
      then(resolve: (value: T) => void, reject: (error: unknown) => void): never {
        resolve(good);
        reject(new Error("after it has settled"));
        throw new Error("after it has settled");
      },
    } as unknown as Promise<T>;
  };
}

/** Lets time pass, and what is not driven by timers, such as cryptography, settle. */
async function pass(milliseconds: number): Promise<void> {
  await settle();
  await vi.advanceTimersByTimeAsync(milliseconds);
  await settle();
}

const { setImmediate: turn } = globalThis;

/** A job of a queue needs most of them, one after the other: the signature, two keys, an id and the encryption. */
const MOST_DIGESTS = 12;

async function settle(): Promise<void> {
  for (let each = 0; each < 40; each++) {
    await new Promise((resolve) => turn(resolve));
    // Digests end in order, so those of a call have ended when these have.
    if (each < MOST_DIGESTS) await crypto.subtle.digest("SHA-256", new Uint8Array());
  }
}
