import { ENDED, mistake } from "@fieldmesh/core/internal";
import type { CallFault } from "./plan.ts";
import type { Flow, Turns } from "./turns.ts";

/** Says what goes wrong with a call. The result of a local call is not lost: it fails, or it is done. */
export type Strike = (label: string, flow: Flow, isLocal?: boolean) => CallFault | undefined;

export interface CallOptions {
  readonly turns: Turns;
  readonly strike: Strike;
  readonly log: (line: string) => void;
}

const DIED = "The process has ended, as planned.";
const OUTLIVED =
  "A database of a process that has ended was used: world.store and world.survives keep what is created in them. Create the store outside of them, as each new process does: store: postgresInbox(world.database(pool)).";

export type Calls = ReturnType<typeof createCalls>;

/** The calls of a process: their turn comes, or they fail, or they never return. `end` ends all of its flows. */
export function createCalls(
  { turns, strike, log }: CallOptions,
  flows: Set<Flow>,
  end: AbortController,
) {
  const background: Flow = { hasEnded: false };
  flows.add(background);
  const died = new Promise<never>((_, reject) => {
    end.signal.addEventListener("abort", () => reject(new Error(DIED)));
  });
  died.catch(() => {});
  const ends: (() => void)[] = [];

  const die = (): void => {
    if (end.signal.aborted) return;
    for (const flow of flows) flow.hasEnded = true;
    turns.drop(flows);
    end.abort(ENDED);
    for (const work of ends) work();
  };
  const crash = <T>(): Promise<T> => {
    die();
    return new Promise(() => {});
  };
  const failed = (label: string) => new Error(`${label} failed, as planned.`);

  /** Waits for the turn of a call, and returns the fault that strikes after it. One before it is an error, or the end. */
  const begin = async (label: string, flow: Flow): Promise<CallFault | undefined> => {
    await turns.next(flow);
    const fault = strike(label, flow);
    if (fault === "crash before") return crash();
    if (fault === "error before") throw failed(label);
    if (fault === undefined) log(`  ${label}`);
    return fault;
  };
  const finish = async (label: string, fault: CallFault | undefined): Promise<void> => {
    if (end.signal.aborted || fault === "crash after") return crash();
    if (fault === "error after") throw failed(label);
  };

  /** Carries out one call when its turn comes. */
  const cross = async <T>(label: string, call: () => T | Promise<T>): Promise<T> => {
    if (end.signal.aborted) return new Promise(() => {});
    const fault = await begin(label, turns.current() ?? background);
    const result = await call();
    await finish(label, fault);
    return result;
  };

  /** The same for a query, during which the clock does not move. Outside of a delivery, nothing goes wrong. */
  const query = async <T>(label: string, call: () => PromiseLike<T> | T): Promise<T> => {
    const flow = turns.current();
    if (end.signal.aborted) {
      // A process that lives uses what one that has ended has created.
      if (flow !== undefined && !flows.has(flow)) throw mistake(OUTLIVED);
      return new Promise(() => {});
    }
    // While a receiver is built, and where its tables are read, no plan is carried out.
    const fault = flow && (await begin(label, flow));
    const close = flow && turns.query(flow);
    let result;
    try {
      result = await call();
    } catch (error) {
      if (end.signal.aborted) return new Promise(() => {});
      throw error;
    } finally {
      close?.();
    }
    if (flow !== undefined) await finish(label, fault);
    return result;
  };

  return {
    cross,
    query,
    /** Carries out a call that returns at once, which no other can come between. A crash throws. */
    now: <T>(label: string, call: () => T): T => {
      const flow = turns.current();
      if (end.signal.aborted)
        throw flow === undefined || flows.has(flow) ? new Error(DIED) : new TypeError(OUTLIVED);
      const fault = flow && strike(label, flow, true);
      if (fault === "crash before") die();
      if (fault === "crash before" || fault === "error before") throw failed(label);
      if (flow !== undefined && fault === undefined) log(`  ${label}`);
      const result = call();
      if (fault === "crash after") die();
      if (fault !== undefined) throw failed(label);
      return result;
    },
    /** Rejects when the process ends. */
    died,
    get hasDied() {
      return end.signal.aborted;
    },
    /** Calls it when the process ends. */
    atEnd: (work: () => void) => void ends.push(work),
  };
}
