/** Two are enough to keep a database busy while the next one fills. */
const MOST_IN_PROGRESS = 2;

interface Waiting<Item, Reply> {
  readonly item: Item;
  readonly settled: PromiseWithResolvers<Reply>;
}

/**
 * Lets calls that wait at the same moment share one call of `sendAll`, which is one round trip and one commit. A single one does
 * not wait. If a shared call fails and `isUndone` says that it has no effect, each of its items is sent alone.
 */
export function createGroup<Item, Reply>(
  sendAll: (items: readonly Item[]) => Promise<readonly Reply[]>,
  isUndone: (error: unknown) => boolean,
): (item: Item) => Promise<Reply> {
  let waiting: Waiting<Item, Reply>[] = [];
  let inProgress = 0;

  const sendTogether = async (batch: readonly Waiting<Item, Reply>[]): Promise<void> => {
    try {
      const replies = await sendAll(batch.map(({ item }) => item));
      batch.forEach(({ settled }, at) => settled.resolve(replies[at] as Reply));
    } catch (error) {
      if (batch.length > 1 && isUndone(error)) for (const each of batch) await sendTogether([each]);
      else for (const { settled } of batch) settled.reject(error);
    }
  };

  const sendWaiting = async (): Promise<void> => {
    if (inProgress >= MOST_IN_PROGRESS || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    inProgress += 1;
    await sendTogether(batch);
    inProgress -= 1;
    void sendWaiting();
  };

  return (item) => {
    const settled = Promise.withResolvers<Reply>();
    waiting.push({ item, settled });
    // After the calls of the same moment.
    if (waiting.length === 1) queueMicrotask(() => void sendWaiting());
    return settled.promise;
  };
}
