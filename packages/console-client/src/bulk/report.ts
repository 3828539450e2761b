import type {
  CreatedResult,
  CreateManyReport,
  CreateResult,
  FailedResult,
  UnknownResult,
} from "./bulk-types.ts";
import type { Logbook } from "./logbook.ts";

/** Runs to the end and sorts the results by kind, each list in the order of the input. */
export async function toReport(
  results: AsyncIterable<CreateResult>,
  logbook: Logbook,
): Promise<CreateManyReport> {
  const created: CreatedResult[] = [];
  const failed: FailedResult[] = [];
  const unknown: UnknownResult[] = [];
  for await (const result of results) {
    if (result.status === "created") created.push(result);
    else if (result.status === "failed") failed.push(result);
    else unknown.push(result);
  }
  const byIndex = (a: CreateResult, b: CreateResult): number => a.index - b.index;
  return {
    ...logbook.progress,
    resumed: logbook.resumed,
    results: {
      created: created.sort(byIndex),
      failed: failed.sort(byIndex),
      unknown: unknown.sort(byIndex),
    },
  };
}
