import type { Run } from "../command.ts";
import { confirm } from "../confirm.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { withMirror } from "./open-mirror.ts";
import { showReport } from "./show-report.ts";

/** Writes the rows of a mirror that differ or are missing. */
export const run: Run = (context, input) =>
  withMirror(context, input, async ({ mirror, events, verifying }) => {
    const { output } = context;
    const plan = await mirror.repair(events, verifying);
    await showReport(output, plan.report);
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
