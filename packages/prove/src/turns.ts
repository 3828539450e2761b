import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

/** Something that a plan can put in order: a delivery, or what a process does beside its deliveries. */
export interface Flow {
  hasEnded: boolean;
}

interface Waiting {
  readonly flow: Flow;
  readonly go: () => void;
}

export type Turns = ReturnType<typeof createTurns>;

/** A flow that does neither for so many turns of the event loop waits for another flow, or for the clock. */
const MOST_IDLE = 2_000;
/** A query that takes so long, in milliseconds, may wait for a lock of another flow, which continues. The clock does not. */
const MAY_BE_BLOCKED = 50;
/** A query that takes so long waits for a lock of a flow that waits for the clock. */
const LONGEST_QUERY = 2_000;

/** Lets one flow run at a time, so that a plan alone decides the order. A flow without a call is waited for `settle` real ms. */
export function createTurns(settle: () => number) {
  const flows = new AsyncLocalStorage<Flow>();
  const waiting: Waiting[] = [];
  /** The flows that run, and have neither ended nor reached their next call. */
  const awake = new Set<Flow>();
  let open = 0;
  /** Counts everything that a flow does. */
  let steps = 0;

  const settled = async () => {
    let seen = steps;
    let since = performance.now();
    for (let idle = 0; awake.size > 0; idle++) {
      await turnOfTheLoop();
      for (const flow of awake) if (flow.hasEnded) awake.delete(flow);
      if (seen !== steps) {
        seen = steps;
        since = performance.now();
        idle = 0;
      }
      const most = open > 0 ? Math.max(settle(), MAY_BE_BLOCKED) : settle();
      if (idle >= MOST_IDLE && performance.now() - since >= most) awake.clear();
    }
  };

  return {
    /** The flow that calls; `undefined` for code that was started outside of all. */
    current: () => flows.getStore(),
    /** Runs work as part of a flow, until it waits for its turn or ends. */
    start: async (flow: Flow, work: () => Promise<void>) => {
      const end = () => void (flow.hasEnded = true);
      awake.add(flow);
      flows.run(flow, () => void work().then(end, end));
      await settled();
    },
    /** Resolves when it is this call's turn; never where its flow was dropped. */
    next: (flow: Flow) => {
      steps++;
      awake.delete(flow);
      return new Promise<void>((resolve) => waiting.push({ flow, go: resolve }));
    },
    get waiting() {
      return waiting.length;
    },
    /** Lets one of those that wait continue, until it waits again or ends. */
    release: async (index: number) => {
      const [chosen] = waiting.splice(index % waiting.length, 1);
      if (chosen === undefined) return;
      awake.add(chosen.flow);
      chosen.go();
      await settled();
    },
    /** Drops the calls of these flows that wait, as the end of a process does. */
    drop: (dropped: ReadonlySet<Flow>) => {
      const kept = waiting.filter(({ flow }) => !dropped.has(flow));
      waiting.splice(0, waiting.length, ...kept);
    },
    /** A query has begun. Returns what to call at its end. */
    query: (flow: Flow) => {
      open++;
      steps++;
      return () => {
        open--;
        steps++;
        // It may have been taken for one that waits for a lock.
        awake.add(flow);
      };
    },
    /** Resolves when no query is open. One that waits for the lock of another flow does not end before that one continues. */
    queriesEnded: async () => {
      const since = performance.now();
      const mayEnd = () => open > 0 && waiting.length === 0;
      while (mayEnd() && performance.now() - since < LONGEST_QUERY) await turnOfTheLoop();
      await settled();
    },
  };
}
