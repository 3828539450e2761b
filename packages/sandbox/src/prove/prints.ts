import { AsyncLocalStorage } from "node:async_hooks";
import { format } from "node:util";

type Print = (...values: unknown[]) => void;

const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;
const current = new AsyncLocalStorage<string[]>();
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

/** Runs a part of a proof, and adds to `printed` what it prints, even later. */
export function keepPrints<T>(printed: string[], work: () => Promise<T>): Promise<T> {
  return current.run(printed, work);
}

function divert(): () => void {
  const undo = METHODS.map((name) => {
    // Replaced once for all proofs: which of them prints is known by its context.
    const own: Print = console[name];
    const diverted: Print = (...values) => {
      const printed = current.getStore();
      if (printed === undefined) own.apply(console, values);
      else printed.push(format(...values));
    };
    console[name] = diverted;
    // Other code may have replaced it in the meantime.
    return () => void (console[name] === diverted && (console[name] = own));
  });
  return () => undo.forEach((each) => each());
}
