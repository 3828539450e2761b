import type { Clock } from "@fieldmesh/core";
import { type CallOptions, createCalls } from "./calls.ts";
import type { Build, Subject } from "./subject.ts";
import type { Flow } from "./turns.ts";
import { createWorld, type WorldOf } from "./world.ts";

/** A process of the receiver, which can end at any call. */
export interface Process {
  readonly subject: Subject;
  readonly hasDied: boolean;
  /** Hands a request over; `state` shows what became of it. */
  deliver(request: Request, state: DeliveryState): Promise<void>;
  /** Handles the stored events, if the subject does. */
  catchUp(state: CatchUpState): Promise<void>;
}

/** A delivery in progress. A process that has crashed ends it without a status. */
export interface DeliveryState extends Flow {
  status: number | undefined;
}

/** A run of `catchUp`. It has a problem if it rejects. */
export interface CatchUpState extends Flow {
  problem?: unknown;
}

type ProcessOptions = CallOptions & Omit<WorldOf, "calls">;

export async function createProcess(build: Build, options: ProcessOptions): Promise<Process> {
  const { clock, turns, ...rest } = options;
  const flows = new Set<Flow>();
  const end = new AbortController();
  const calls = createCalls(options, flows, end);

  // Nobody wakes a process that has ended.
  const mortal: Clock = {
    now: () => clock.now(),
    sleep: (ms, signal) =>
      clock
        .sleep(ms, signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]))
        .catch((reason: unknown) =>
          calls.hasDied ? new Promise(() => {}) : Promise.reject(reason),
        ),
  };
  const built = await build(createWorld({ ...rest, clock: mortal, calls }));
  const subject = typeof built === "function" ? { receive: built } : built;
  return {
    subject,
    get hasDied() {
      return calls.hasDied;
    },
    deliver: async (request, state) => {
      flows.add(state);
      await turns.start(state, async () => {
        const { status } = await subject.receive(request);
        if (!calls.hasDied) state.status = status;
      });
    },
    catchUp: async (state) => {
      flows.add(state);
      await turns.start(state, async () => {
        try {
          await subject.catchUp?.();
        } catch (problem) {
          state.problem = problem;
        }
      });
    },
  };
}
