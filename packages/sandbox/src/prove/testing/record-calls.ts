import type { Calls } from "../calls.ts";

/** Calls that nothing goes wrong with, which are recorded. `end` ends their process. */
export function recordCalls(own: Partial<Calls> = {}) {
  const labels: string[] = [];
  const exits: string[] = [];
  const ends: (() => void)[] = [];
  const calls: Calls = {
    cross: async (_label, call) => await call(),
    query: async (label, call) => {
      labels.push(label);
      return await call();
    },
    enter: async (label) => {
      labels.push(label);
      return { done: async () => void exits.push("done"), failed: () => void exits.push("failed") };
    },
    now: (label, call) => {
      labels.push(label);
      return call();
    },
    here: (work) => work,
    died: new Promise(() => {}),
    hasDied: false,
    atEnd: (work) => void ends.push(work),
    ...own,
  };
  return { calls, labels, exits, end: () => ends.forEach((work) => work()) };
}
