import type { CreateManyReport, CreateResult } from "./bulk-types.ts";
import type { Logbook } from "./logbook.ts";

/** Runs to the end and sorts the results by kind, each list in the order of the input. */
export async function toReport(
  results: AsyncIterable<CreateResult>,
  logbook: Logbook,
): Promise<CreateManyReport> {
  const all: CreateResult[] = [];
  for await (const result of results) all.push(result);
  all.sort((a, b) => a.index - b.index);
  return {
    ...logbook.progress,
    resumed: logbook.resumed,
    results: {
      created: all.filter((each) => each.status === "created"),
      failed: all.filter((each) => each.status === "failed"),
      unknown: all.filter((each) => each.status === "unknown"),
    },
  };
}
