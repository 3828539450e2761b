import { untilAborted } from "../wire/deadline.ts";

/** Counts the requests that are in progress at the same time. Reads and writes share them, whatever permits they need. */
export type Places = ReturnType<typeof createPlaces>;

/** Creates so many places. A request has one from before its attempt until its response is complete. */
export function createPlaces(limit: number) {
  let taken = 0;
  const waiting = new Set<() => void>();

  const isFree = (): boolean => taken < limit;
  const whenFree = (wake: () => void): void => void waiting.add(wake);
  function release(): void {
    taken--;
    // In turn: one that finds no place left waits again, behind the others.
    for (const wake of waiting) {
      if (!isFree()) return;
      waiting.delete(wake);
      wake();
    }
  }

  return {
    limit,
    isFree,
    /** Takes a place, which must be free. */
    take: (): void => void taken++,
    /** Calls `wake` once, when a place is free. */
    whenFree,
    /** Waits for a place, and takes it. Rejects with the reason of the signal if that aborts first. */
    async enter(signal: AbortSignal): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const enter = (): void => {
        taken++;
        resolve();
      };
      whenFree(enter);
      try {
        await untilAborted(promise, signal);
      } catch (error) {
        // It may have been woken in the same moment.
        if (!waiting.delete(enter)) release();
        throw error;
      }
    },
    release,
  };
}
