import { AsyncLocalStorage } from "node:async_hooks";
import { format } from "node:util";

type Print = (...values: unknown[]) => void;

/** What a process prints, and the timers that end with it: a crash leaves waits behind, which would print a minute later. */
interface Kept {
  readonly printed: string[];
  readonly timers: Set<NodeJS.Timeout>;
}

const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;
const current = new AsyncLocalStorage<Kept>();
let proofs = 0;
let restore = (): void => {};

/** Runs a proof. Until it ends, what its runs print is kept, and what other code prints appears as before. */
export async function divertPrints<T>(proof: () => Promise<T>): Promise<T> {
  if (proofs++ === 0) restore = divert();
  try {
    return await proof();
  } finally {
    if (--proofs === 0) restore();
  }
}

/** Runs a part of a proof, and adds to `printed` what it prints. */
export async function keepPrints<T>(printed: string[], work: () => Promise<T>): Promise<T> {
  const timers = new Set<NodeJS.Timeout>();
  try {
    return await current.run({ printed, timers }, work);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Replaces functions once for all proofs: the context says which of them calls. */
function divert(): () => void {
  const undo = METHODS.map((name) =>
    replace<Print>(console, name, (own) => (...values) => {
      const kept = current.getStore();
      if (kept === undefined) own.apply(console, values);
      else kept.printed.push(format(...values));
    }),
  );
  const undoTimers = replace<typeof setTimeout>(globalThis, "setTimeout", (own) => {
    const watched = (...all: Parameters<typeof setTimeout>) => {
      const timer = own(...all);
      current.getStore()?.timers.add(timer);
      return timer;
    };
    // Such as the form that promisify returns.
    return Object.defineProperties(watched, Object.getOwnPropertyDescriptors(own)) as typeof own;
  });
  return () => [...undo, undoTimers].forEach((each) => each());
}

/** Returns a function that puts the old one back, unless other code has replaced it in the meantime. */
function replace<F>(owner: object, name: string, make: (own: F) => F): () => void {
  const functions = owner as Record<string, F>;
  const own = functions[name] as F;
  const made = (functions[name] = make(own));
  return () => void (functions[name] === made && (functions[name] = own));
}
