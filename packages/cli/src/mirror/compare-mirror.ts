import type { Run } from "../command.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { withMirror } from "./open-mirror.ts";
import { confirm } from "../confirm.ts";
import type { MirrorFinding, MirrorReport } from "@fieldmesh/mirror";
import { type Output, printFirst } from "../output/output.ts";

/** Compares a mirror with the stored events. */
export const runVerify: Run = (context, input) =>
  withMirror(context, input, async ({ mirror, events, verifying }) => {
    const { output } = context;
    const report = await mirror.verify(events, verifying);
    if (output.isJson) await output.record({ ...report });
    await showReport(output, report);
    checkEvents(report);
    const wrong = report.differs.length + report.missing.length;
    if (wrong > 0)
      throw new CliError(
        `${wrong} rows differ or are missing. A delivery may be on its way: if they stay, run fieldmesh mirror repair.`,
        exitCodes.different,
      );
  });

/** Writes the rows of a mirror that differ or are missing. */
export const runRepair: Run = (context, input) =>
  withMirror(context, input, async ({ mirror, events, verifying }) => {
    const { output } = context;
    const plan = await mirror.repair(events, verifying);
    await showReport(output, plan.report);
    checkEvents(plan.report);
    const { length } = plan.changes;
    if (length > 0) await confirm(context, `Write ${length} rows?`);
    const { written, changedSince } = await mirror.apply(plan);
    if (output.isJson) await output.record({ ...plan.report, written, changedSince });
    else await output.line(`${written} rows written.`);
    if (changedSince.length > 0)
      throw new CliError(
        `${changedSince.length} rows have changed meanwhile and were left alone. Run the same command again.`,
        exitCodes.different,
      );
  });

/** A service without events shows nothing about the rows of a mirror. An empty mirror has none. */
function checkEvents({ events, checked, notChecked }: MirrorReport): void {
  const rows = checked + notChecked;
  if (events > 0 || rows === 0) return;
  throw new CliError(
    `The service lists no event, so none of the ${rows} rows could be compared. Check MOBILE_URL, the environment of its key (live or sandbox), and for how long the service stores events.`,
    exitCodes.failed,
  );
}

/** Prints what is wrong with a mirror: ids and names of columns, and nothing of a state. */
async function showReport(output: Output, report: MirrorReport): Promise<void> {
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
