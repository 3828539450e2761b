import type { Permits } from "../src/limit/permits.ts";
import type { Priority } from "../src/limit/queue.ts";
import type { RuledResponse } from "../src/limit/rule.ts";

/** Takes and releases permits of a client, as its calls do. */
export function createHolder(permits: Permits) {
  async function take(request: { priority: Priority; signal: AbortSignal }): Promise<void> {
    await permits.take({ priority: request.priority, deadline: { signal: () => request.signal } });
  }

  return {
    take,
    /** Takes a permit if it can be taken at once. */
    tryTake(priority: Priority): boolean {
      const before = permits.state().inFlight;
      const gone = new AbortController();
      take({ priority, signal: gone.signal }).catch(() => undefined);
      if (permits.state().inFlight > before) return true;
      gone.abort();
      return false;
    },
    /** Takes a permit beyond the limit. */
    count: (): void => void permits.takeAtOnce({ signal: () => new AbortController().signal }),
    giveBack: async (): Promise<void> => permits.release({ isUsed: false, response: undefined }),
    /** Ends a request. */
    ended: async (response?: RuledResponse): Promise<void> =>
      permits.release({ isUsed: true, response }),
  };
}
