import { availableParallelism } from "node:os";

export type Slots = <T>(task: () => Promise<T>) => Promise<T>;

/** Lets at most `count` tasks run at a time; the others wait in the order in which they came. */
export function createSlots(count = Math.max(2, availableParallelism())): Slots {
  let free = count;
  const waiting: (() => void)[] = [];

  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
