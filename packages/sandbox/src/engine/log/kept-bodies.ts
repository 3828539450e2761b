import type { Call } from "../serve/call.ts";

/** The bodies of requests, in bounded memory. The log and the journal of going back share them. */
export interface KeptBodies {
  /** Keeps the body of a request that has ended. Beyond the limit, the oldest are forgotten, and never this one. */
  add(number: number, call: Call, status: number | undefined): void;
  /** Counts from zero again. */
  clear(): void;
}

/** What is kept of the body of a refused request: enough to recognize it. */
const BEGINNING = 1_024;

/** Creates an empty store for `limit` characters. `onForget` receives the number of the last request whose body was forgotten. */
export function keepBodies(limit: number, onForget: (number: number) => void): KeptBodies {
  const held: { readonly number: number; readonly call: Call }[] = [];
  let total = 0;
  return {
    add: (number, call, status) => {
      if (call.body === "") return;
      if (isRefused(call, status) && call.body.length > BEGINNING) cut(call, BEGINNING);
      held.push({ number, call });
      total += call.body.length;
      if (total <= limit) return;
      // Down to half of the limit at once: going back begins anew each time, which copies the data.
      let forgotten = 0;
      while (forgotten < held.length - 1 && total > limit / 2) {
        const { call: oldest } = held[forgotten++]!;
        total -= oldest.body.length;
        cut(oldest, 0);
      }
      const numbers = held.splice(0, forgotten).map((each) => each.number);
      if (numbers.length > 0) onForget(Math.max(...numbers));
    },
    clear: () => {
      held.length = 0;
      total = 0;
    },
  };
}

const REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** Tells whether a service refused the key of a request. */
function isRefused({ done, fault }: Call, status: number | undefined): boolean {
  return status !== undefined && REFUSED.has(status) && !done && fault === undefined;
}

/** Keeps the first characters of a body. What was made from it would keep the rest. */
function cut(call: Call, length: number): void {
  const { url, method, headers } = call.request;
  // A slice alone would keep the whole string in memory.
  call.body = structuredClone(call.body.slice(0, length));
  call.input = {};
  call.request = new Request(url, { method, headers });
}
