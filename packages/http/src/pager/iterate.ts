import { AbortError } from "../errors/abort-error.ts";
import type { WalkIterator } from "./page.ts";
import type { WalkSource } from "./walk.ts";

/** What can be walked: it says where it is, and can be ended. */
interface Closable<C> {
  checkpoint(): C;
  close(): void;
}

const END = { done: true, value: undefined } as const;

/**
 * Makes an iterator of a walk. It is written by hand, because a generator is over after its first throw.
 *
 * `takeNow` returns what needs no reading; `readMore` reads more and returns whether there is any. Calls
 * that overlap are served one after the other.
 */
export function iterate<W extends Closable<C>, V, C>(
  { facts, signal }: Pick<WalkSource<unknown>, "facts" | "signal">,
  open: () => W,
  {
    takeNow,
    readMore,
  }: {
    takeNow: () => IteratorYieldResult<V> | undefined;
    readMore: (walk: W) => Promise<boolean>;
  },
): WalkIterator<V, C> {
  let walk: W | undefined;
  let pending: Promise<unknown> | undefined;
  let isClosed = false;

  const checkSignal = (): void => {
    if (signal?.aborted === true)
      throw new AbortError({ ...facts, outcome: "not_sent", attempts: [] }, signal.reason);
  };

  async function step(): Promise<IteratorResult<V, undefined>> {
    for (;;) {
      if (isClosed) return END;
      checkSignal();
      const result = takeNow();
      if (result !== undefined) return result;
      try {
        walk ??= open();
        if (!(await readMore(walk))) isClosed = true;
      } catch (error) {
        // A request that return() cancelled is not a failure.
        if (!isClosed) throw error;
      }
    }
  }

  return {
    next() {
      if (pending === undefined && !isClosed && signal?.aborted !== true) {
        const result = takeNow();
        if (result !== undefined) return Promise.resolve(result);
      }
      const run = pending === undefined ? step() : pending.then(step);
      const settled: Promise<void> = run.then(
        () => forget(),
        () => forget(),
      );
      const forget = (): void => {
        if (pending === settled) pending = undefined;
      };
      pending = settled;
      return run;
    },
    return() {
      isClosed = true;
      walk?.close();
      return Promise.resolve(END);
    },
    checkpoint: () => (walk ??= open()).checkpoint(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
