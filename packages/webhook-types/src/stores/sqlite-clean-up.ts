import type { Prepare } from "./sqlite-client.ts";

/** A statement blocks the process while it runs, so it must be short. */
const BATCH = 1_000;

/**
 * Returns a function that deletes the rows that meet a condition, and returns how many. Between batches, other work of the process
 * runs: no delivery waits for all of them.
 */
export function prepareCleanUp(
  prepare: Prepare,
  table: string,
  condition: string,
): (before: number) => Promise<number> {
  const deleteSome = prepare(
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${condition} LIMIT ${BATCH}) RETURNING 1`,
  );
  return async (before) => {
    let all = 0;
    for (;;) {
      const count = (await deleteSome(before)).length;
      all += count;
      if (count < BATCH) return all;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
}
