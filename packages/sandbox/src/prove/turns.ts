import { AsyncLocalStorage } from "node:async_hooks";

/** Something that a plan can put in order: a delivery, or what a process does beside its deliveries. */
export interface Flow {
  hasEnded: boolean;
}

/** A call that waits for its turn. */
interface Waiting {
  readonly flow: Flow;
  readonly go: () => void;
}

/** Lets one flow run at a time, from one call to the next, so that a plan alone decides what happens in which order. */
export interface Turns {
  /** Runs work as part of a flow, until it waits for its turn or ends. */
  start(flow: Flow, work: () => Promise<void>): Promise<void>;
  /** Resolves when it is this call's turn; never where its flow was dropped. */
  next(flow: Flow): Promise<void>;
  /** How many calls wait. */
  readonly waiting: number;
  /** Lets one of those that wait continue, until it waits again or ends. */
  release(index: number): Promise<void>;
  /** Drops the calls of these flows that wait, as the end of a process does. */
  drop(flows: ReadonlySet<Flow>): void;
  /** The flow that calls; `undefined` for code that was started outside of all. */
  current(): Flow | undefined;
}

/** A flow that does neither for so many turns of the event loop waits for another flow, or for the clock. */
const MOST_IDLE = 2_000;

export function createTurns(): Turns {
  const flows = new AsyncLocalStorage<Flow>();
  const waiting: Waiting[] = [];

  const settled = async (flow: Flow) => {
    for (let idle = 0; idle < MOST_IDLE; idle++) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (flow.hasEnded || waiting.some((each) => each.flow === flow)) return;
    }
  };

  return {
    current: () => flows.getStore(),
    start: async (flow, work) => {
      const end = () => void (flow.hasEnded = true);
      flows.run(flow, () => void work().then(end, end));
      await settled(flow);
    },
    next: (flow) => new Promise((resolve) => waiting.push({ flow, go: resolve })),
    get waiting() {
      return waiting.length;
    },
    release: async (index) => {
      const [chosen] = waiting.splice(index % waiting.length, 1);
      chosen?.go();
      if (chosen !== undefined) await settled(chosen.flow);
    },
    drop: (dropped) => {
      const kept = waiting.filter(({ flow }) => !dropped.has(flow));
      waiting.splice(0, waiting.length, ...kept);
    },
  };
}
