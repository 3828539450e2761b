import type { BulkResults, CreateManyReport, CreateResult } from "./bulk-types.ts";
import type { Logbook } from "./logbook.ts";

/** Makes the report of a run that has ended. */
export function toReport(results: readonly CreateResult[], logbook: Logbook): CreateManyReport {
  return { ...logbook.progress, resumed: logbook.resumed, results: sortResults(results) };
}

/** Sorts results by kind, each list in the order of the input. */
export function sortResults(results: readonly CreateResult[]): BulkResults {
  const all = results.toSorted((a, b) => a.index - b.index);
  return {
    created: all.filter((each) => each.status === "created"),
    failed: all.filter((each) => each.status === "failed"),
    unknown: all.filter((each) => each.status === "unknown"),
    skipped: all.filter((each) => each.status === "skipped"),
  };
}
