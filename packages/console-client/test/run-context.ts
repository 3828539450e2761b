import type { RunContext } from "../src/bulk/run/bulk-settings.ts";

/** What a part of a run did with its context. */
export interface Used {
  readonly sleeps: number[];
  readonly waits: { readonly why: string; readonly until: number | undefined }[];
  announced: number;
}

export const NOW = 1_000_000;

/** Creates the context of a run whose time passes only when it sleeps. `used` records the waits and the requests. */
export function contextOf(changed: Partial<RunContext> = {}): RunContext & { readonly used: Used } {
  let now = NOW;
  const used: Used = { sleeps: [], waits: [], announced: 0 };
  return {
    chunkSize: 2,
    concurrency: 2,
    settleTime: 5_000,
    timeout: 1_000,
    priority: "background",
    signal: undefined,
    lease: undefined,
    fence: undefined,
    clock: {
      now: () => now,
      sleep: (milliseconds) => {
        used.sleeps.push(milliseconds);
        now += milliseconds;
        return Promise.resolve();
      },
    },
    during: (why, work, until) => {
      used.waits.push({ why, until });
      return work();
    },
    announce: async () => void used.announced++,
    traceStep: (_step, _size, work) => work(),
    used,
    ...changed,
  };
}
