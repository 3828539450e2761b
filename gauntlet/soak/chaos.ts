import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../parts/chance.ts";

/** What a part of others does, besides its work. */
export interface Chaos {
  /** Stops all faults, so that what is open can be finished. */
  readonly calm: () => void;
  readonly isCalm: () => boolean;
  /** Returns true in one of so many cases, until it is calm. */
  readonly oneIn: (cases: number) => boolean;
  readonly int: Chance["int"];
  /** Wraps a function of others: sometimes it hangs, is late, throws before or after its work, or returns another form. */
  readonly spoil: <Args extends readonly unknown[], T>(
    work: (...args: Args) => T | Promise<T>,
  ) => (...args: Args) => Promise<T>;
}

const LATE = 300;

export function createChaos(chance: Chance): Chaos {
  let calm = false;
  const int = (min: number, max: number) => chance.int(min, max);
  const oneIn = (cases: number) => !calm && int(1, cases) === 1;
  return {
    calm: () => (calm = true),
    isCalm: () => calm,
    oneIn,
    int,
    spoil:
      (work) =>
      async (...args) => {
        // Rare, because each costs a lane the whole limit.
        if (oneIn(60)) return await new Promise<never>(() => undefined);
        if (oneIn(20)) await sleep(int(1, LATE));
        if (oneIn(30)) throw new Error("before its work");
        const result = await work(...args);
        if (oneIn(30)) throw new Error("after its work");
        return oneIn(40) ? (undefined as never) : result;
      },
  };
}

const HOUR = 3_600_000;
const YEARS = 10 * 365 * 24 * HOUR;
const JUMPS = [-YEARS, -HOUR, HOUR, YEARS];
/** How long the clock is right, and then wrong. */
const [RIGHT, WRONG] = [20_000, 4_000];

/** Sets the wall clock of the process wrong, again and again, until the signal aborts. */
export async function jumpClock({ oneIn, int }: Chaos, signal: AbortSignal): Promise<void> {
  const now = Date.now.bind(Date);
  try {
    while (!signal.aborted) {
      await sleep(int(RIGHT / 2, RIGHT), undefined, { signal });
      const jump = JUMPS[int(0, JUMPS.length - 1)] ?? 0;
      if (oneIn(1)) Date.now = () => now() + jump;
      await sleep(int(WRONG / 2, WRONG), undefined, { signal });
      Date.now = now;
    }
  } catch {
    // The signal ended a sleep.
  } finally {
    Date.now = now;
  }
}
