import type { Run } from "../command.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { withMirror } from "./open-mirror.ts";
import { showReport } from "./show-report.ts";

/** Compares a mirror with the stored events. */
export const run: Run = (context, input) =>
  withMirror(context, input, async ({ mirror, events, verifying }) => {
    const { output } = context;
    const report = await mirror.verify(events, verifying);
    if (output.isJson) await output.record({ ...report });
    await showReport(output, report);
    const wrong = report.differs.length + report.missing.length;
    if (wrong > 0)
      throw new CliError(
        `${wrong} rows differ or are missing. A delivery may be on its way: if they stay, run fieldmesh mirror repair.`,
        exitCodes.different,
      );
  });
