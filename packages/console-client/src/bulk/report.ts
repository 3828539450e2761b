import type { AnyResult, Status } from "./verb.ts";

/** Sorts results by kind, each list in the order of the input. */
export function sortResults(
  results: readonly AnyResult[],
  statuses: readonly Status[],
): Readonly<Record<string, readonly AnyResult[]>> {
  const all = results.toSorted((a, b) => a.index - b.index);
  return Object.fromEntries(
    statuses.map((status) => [status, all.filter((each) => each.status === status)]),
  );
}
