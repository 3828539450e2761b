import { keyOf } from "./fingerprint.ts";

/** How many rows are compared, at most. Services repeat one, or those that new rows have pushed down (observed). */
const MOST = 10;

/** Returns hashes of the last rows of a page, with all their fields. */
export const lastRows = (items: readonly unknown[]): string[] => items.slice(-MOST).map(wholeRow);

/** Returns how many rows at the start of a page repeat the last ones before it. */
export function countRepeated(before: readonly string[], items: readonly unknown[]): number {
  const start = items.slice(0, MOST).map(wholeRow);
  const count = before.findIndex((_, at) => before.slice(at).every((row, to) => row === start[to]));
  return count < 0 ? 0 : before.length - count;
}

const wholeRow = (item: unknown): string => keyOf(item);
