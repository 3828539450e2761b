import type { Calls } from "../calls.ts";

/** Calls that nothing goes wrong with, which are recorded. `end` ends their process. */
export function recordCalls(own: Partial<Calls> = {}) {
  const labels: string[] = [];
  const ends: (() => void)[] = [];
  const calls: Calls = {
    cross: async (_label, call) => await call(),
    query: async (label, call) => {
      labels.push(label);
      return await call();
    },
    now: (label, call) => {
      labels.push(label);
      return call();
    },
    died: new Promise(() => {}),
    hasDied: false,
    atEnd: (work) => void ends.push(work),
    ...own,
  };
  return { calls, labels, end: () => ends.forEach((work) => work()) };
}
