import type { MirrorFinding, MirrorReport } from "@fieldmesh/mirror";
import { type Output, printFirst } from "../output/output.ts";

/** Prints what is wrong with a mirror: ids and names of columns, and nothing of a state. */
export async function showReport(output: Output, report: MirrorReport): Promise<void> {
  const { differs, missing, ambiguous, wrongDates, checked, notChecked } = report;
  if (output.isJson) return;
  const lines = [
    ...differs.map((each) => `differs    ${nameOf(each)}  ${each.columns.join(", ")}`),
    ...missing.map((each) => `missing    ${nameOf(each)}`),
    ...ambiguous.map((each) => `in doubt   ${nameOf(each)}`),
    ...wrongDates.map((each) => `wrong date ${nameOf(each)}`),
  ];
  await printFirst((line) => output.line(line), lines, "more; --json prints all.");
  output.note(
    `${checked} rows compared with ${report.events} events, ${notChecked} rows not checked, because the service no longer has their event.`,
  );
  if (wrongDates.length > 0)
    output.note(
      `${wrongDates.length} objects were not compared, because the date of an event was ahead. Read them from the API.`,
    );
  if (report.notParsed > 0) output.note(`${report.notParsed} items of the list are not events.`);
}

function nameOf({ family, id, livemode }: MirrorFinding): string {
  return `${family} ${id}${livemode ? "" : " (sandbox)"}`;
}
