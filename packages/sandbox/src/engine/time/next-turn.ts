/** Taken when the module loads, so that a test's fake timers do not stop the virtual clock or a delivery. */
const realSetTimeout = setTimeout;

/** Resolves after every promise job that is queued now, and all that those queue. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    realSetTimeout(resolve, 0);
  });
}
