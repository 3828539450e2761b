import type { Feed, SandboxActivity } from "../services/feed.ts";

export type ActivityHistory = ReturnType<typeof createHistory>;

/** How many activities are kept. A viewer that missed more of them starts again. */
const MOST = 20_000;

/** Creates a history, which begins with what happens next, so that a viewer that was away can catch up. */
export function createHistory(feed: Feed) {
  let entries: SandboxActivity[] = [];
  let version = 0;
  let next = Promise.withResolvers<void>();
  feed.watch((activity) => {
    version += 1;
    entries.push(activity);
    if (entries.length >= 2 * MOST) entries = entries.slice(-MOST);
    next.resolve();
    next = Promise.withResolvers();
  });
  return {
    /** The number of the last activity. */
    get version() {
      return version;
    },
    /** Returns what happened after a version. `undefined` if that is too long ago. */
    since: (known: number): readonly SandboxActivity[] | undefined => {
      const missed = version - known;
      if (missed < 0 || missed > entries.length) return undefined;
      return missed === 0 ? [] : entries.slice(-missed);
    },
    /** Resolves when something has happened after a version. Rejects when the signal aborts. */
    changed: async (known: number, signal: AbortSignal): Promise<void> => {
      signal.throwIfAborted();
      if (version !== known) return;
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => aborted.reject(signal.reason);
      signal.addEventListener("abort", onAbort);
      try {
        await Promise.race([next.promise, aborted.promise]);
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
