import type { Permits } from "../src/limit/permits.ts";
import type { Priority } from "../src/limit/queue.ts";
import type { RuledResponse } from "../src/limit/rule.ts";

/** Holds permits of a client, as its calls do, and gives them back on request. */
export function createHolder(permits: Permits) {
  const held: ((response: RuledResponse | undefined, isUsed: boolean) => Promise<void>)[] = [];

  /** Runs work that lasts until its permit is given back. Resolves when it has the permit. */
  function hold(
    run: (work: Parameters<Permits["runAtOnce"]>[0]) => Promise<unknown>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const whole = run(async (permit) => {
        const end = Promise.withResolvers<void>();
        held.push(async (response, isUsed) => {
          Object.assign(permit, { response, isUsed });
          end.resolve();
          await whole;
        });
        resolve();
        await end.promise;
      });
      whole.catch(reject);
    });
  }

  const take = (request: { priority: Priority; signal: AbortSignal }): Promise<void> =>
    hold((work) =>
      permits.run({ priority: request.priority, deadline: { signal: () => request.signal } }, work),
    );

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
    count: (): void => void hold((work) => permits.runAtOnce(work)),
    giveBack: async (): Promise<void> => await held.shift()?.(undefined, false),
    /** Ends the oldest request. */
    ended: async (response?: RuledResponse): Promise<void> => await held.shift()?.(response, true),
  };
}
