import type { Clock } from "@fieldmesh/core";
import type { CallFault } from "./plan.ts";
import type { Build, Subject } from "./subject.ts";
import type { Flow, Turns } from "./turns.ts";
import { createWorld, type Crossing, type Remains } from "./world.ts";

/** A process of the receiver, which can end at any call. */
export interface Process {
  readonly subject: Subject;
  readonly hasDied: boolean;
  /** Hands a request over; `state` shows what became of it. */
  deliver(request: Request): Promise<{ readonly state: DeliveryState }>;
}

/** A delivery in progress. A process that has crashed ends it without a status. */
export interface DeliveryState extends Flow {
  status: number | undefined;
}

interface ProcessOptions {
  readonly turns: Turns;
  /** Says what goes wrong with a call. */
  readonly strike: (label: string, flow: Flow) => CallFault | undefined;
  readonly log: (line: string) => void;
  readonly remains: Remains;
  readonly secrets: () => readonly string[];
  readonly clock: Clock;
}

/** Starts a process. */
export async function createProcess(build: Build, options: ProcessOptions): Promise<Process> {
  const { turns, strike, log, clock, ...rest } = options;
  const background: Flow = { hasEnded: false };
  const flows = new Set<Flow>([background]);
  let hasDied = false;
  let reject: (reason: Error) => void;
  const died = new Promise<never>((_, fail) => (reject = fail));
  died.catch(() => {});
  const end = new AbortController();

  const crash = <T>(): Promise<T> => {
    hasDied = true;
    for (const flow of flows) flow.hasEnded = true;
    turns.drop(flows);
    reject(new Error("The process has ended."));
    end.abort();
    return new Promise(() => {});
  };
  const cross: Crossing = async (label, call) => {
    if (hasDied) return new Promise(() => {});
    const flow = turns.current() ?? background;
    await turns.next(flow);
    const fault = strike(label, flow);
    if (fault === "crash before") return crash();
    if (fault === "error before") throw new Error(`${label} failed, as planned.`);
    if (fault === undefined) log(`  ${label}`);
    const result = await call();
    if (hasDied || fault === "crash after") return crash();
    if (fault === "error after") throw new Error(`${label} failed, as planned.`);
    return result;
  };

  // Nobody wakes a process that has ended.
  const mortal: Clock = {
    now: () => clock.now(),
    sleep: (ms, signal) =>
      clock
        .sleep(ms, signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]))
        .catch((reason: unknown) => (hasDied ? new Promise(() => {}) : Promise.reject(reason))),
  };
  const built = await build(createWorld({ ...rest, clock: mortal, cross, died }));
  const subject = typeof built === "function" ? { receive: built } : built;
  return {
    subject,
    get hasDied() {
      return hasDied;
    },
    deliver: async (request) => {
      const state: DeliveryState = { hasEnded: false, status: undefined };
      flows.add(state);
      await turns.start(state, async () => {
        const { status } = await subject.receive(request);
        if (!hasDied) state.status = status;
      });
      return { state };
    },
  };
}
