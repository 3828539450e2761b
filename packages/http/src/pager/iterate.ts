import { AbortError } from "../errors/abort-error.ts";
import type { WalkIterator } from "./page.ts";
import type { WalkSource } from "./walk.ts";
import { keepPlace } from "../errors/caller-place.ts";

const END = { done: true, value: undefined } as const;

/**
 * Creates an iterator of a walk, for the caller of `method`. Overlapping calls run one after the other. A generator would end after
 * its first error.
 */
export function iterate<W extends { checkpoint(): C; repeated(): number; close(): void }, V, C>(
  method: object,
  { context, signal }: Pick<WalkSource<unknown>, "context" | "signal">,
  open: () => W,
  reading: {
    takeNow: () => IteratorYieldResult<V> | undefined;
    readMore: (walk: W) => Promise<boolean>;
  },
): WalkIterator<V, C> {
  const { takeNow, readMore } = reading;
  const { next, isIdle } = inTurn(method, step);
  let walk: W | undefined;
  let isClosed = false;

  const checkSignal = (): void => {
    if (signal?.aborted === true)
      throw new AbortError({ ...context, outcome: "not_sent", attempts: [] }, signal.reason);
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
        // If return() canceled the request, that is not a failure.
        if (!isClosed) throw error;
      }
    }
  }

  return {
    next() {
      if (isIdle() && !isClosed && signal?.aborted !== true) {
        const result = takeNow();
        if (result !== undefined) return Promise.resolve(result);
      }
      return next();
    },
    return() {
      isClosed = true;
      walk?.close();
      return Promise.resolve(END);
    },
    checkpoint: () => (walk ??= open()).checkpoint(),
    get repeated() {
      return walk?.repeated() ?? 0;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Runs `step` for one call of `next` after the other. Adds the places of their caller and of that of `method` to an error. */
export function inTurn<R>(
  method: object,
  step: () => Promise<R>,
): { readonly next: () => Promise<R>; readonly isIdle: () => boolean } {
  const withPlace = keepPlace(method, run);
  let last: Promise<R> | undefined;
  let inProgress = 0;

  async function run(before: Promise<R> | undefined): Promise<R> {
    inProgress++;
    try {
      // Its failure is that of another call.
      await before?.catch(() => undefined);
      return await step();
    } catch (error) {
      const placed = withPlace(error);
      // A caller that no longer waits must not end the process. Not before, because the engine finds only a single one that waits.
      last?.catch(() => undefined);
      throw placed;
    } finally {
      if (--inProgress === 0) last = undefined;
    }
  }

  return { next: () => (last = run(last)), isIdle: () => inProgress === 0 };
}
