import { setImmediate as turnOfTheLoop, setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@fieldmesh/core";
import type { Sandbox } from "@fieldmesh/sandbox/engine";

/** A run is idle if so many turns of the event loop pass without a call. The clock may then move. */
const MOST_IDLE = 50;
/** After so many turns, the run waits in real time. */
const SPINS = 1_000;
/** A run that makes no call for so long does not end: in real time, and in that of its clock. */
const PATIENCE = 15_000;
const LONGEST_RUN = 7 * 24 * 3_600_000;

/** How a run of a job has ended. */
export type Result<Report> =
  | { readonly is: "returned"; readonly report: Report }
  | { readonly is: "rejected"; readonly error: unknown }
  | { readonly is: "killed" | "hangs" };

/** One process of a job. When it is over, nothing that it waits for comes. */
export function createLife({ clock }: Sandbox) {
  let isOver = false;
  let steps = 0;
  let open = 0;
  let stopped: number | undefined;
  /** Two sleeps may end at the same time. */
  const wakes = new Set<{ readonly at: number }>();
  const killed = Promise.withResolvers<{ readonly is: "killed" }>();
  const never = <T>(): Promise<T> => new Promise(() => {});
  const end = (): void => {
    isOver = true;
    stopped = clock.now();
  };

  const own: Clock = {
    now: () => stopped ?? clock.now(),
    sleep: async (ms, signal) => {
      if (isOver) return never();
      steps++;
      const wake = { at: clock.now() + ms };
      // One without an end waits for its signal, which no clock brings.
      if (Number.isFinite(ms)) wakes.add(wake);
      try {
        await clock.sleep(ms, signal);
      } finally {
        wakes.delete(wake);
      }
      if (isOver) return never();
    },
  };

  return {
    clock: own,
    get isOver() {
      return isOver;
    },
    kill: <T>(): Promise<T> => {
      end();
      killed.resolve({ is: "killed" });
      return never();
    },
    /** Makes a call, which settles only as long as the process lives. */
    call: async <T>(work: () => Promise<T>): Promise<T> => {
      if (isOver) return never();
      steps++;
      open++;
      try {
        return await work();
      } finally {
        open--;
        steps++;
        if (isOver) await never();
      }
    },
    /** Runs the process, and moves the clock while it waits for nothing else. */
    live: async <Report>(work: () => Promise<Report>): Promise<Result<Report>> => {
      const first: { result?: Result<Report> } = {};
      const done = Promise.race([
        killed.promise,
        work().then(
          (report) => ({ is: "returned" as const, report }),
          (error: unknown) => ({ is: "rejected" as const, error }),
        ),
      ]).then((result) => (first.result = result));
      done.catch(() => {});
      const began = clock.now();
      let seen = steps;
      let since = performance.now();
      for (let idle = 0; first.result === undefined; idle++) {
        await (idle < SPINS ? turnOfTheLoop() : sleep(1));
        if (seen !== steps) {
          seen = steps;
          since = performance.now();
          idle = 0;
        }
        const hangs =
          clock.now() - began > LONGEST_RUN ||
          (open === 0 && wakes.size === 0 && performance.now() - since > PATIENCE);
        if (hangs) {
          end();
          return { is: "hangs" };
        }
        if (open === 0 && wakes.size > 0 && idle >= MOST_IDLE) {
          await clock.advance(Math.min(...[...wakes].map(({ at }) => at)) - clock.now());
          idle = 0;
        }
      }
      end();
      return first.result;
    },
  };
}
