import type { Run } from "../command.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { withMirror } from "./open-mirror.ts";
import { showReport } from "./show-report.ts";

/** Writes the rows of a mirror that differ or are missing. */
export const run: Run = (context, input) =>
  withMirror(context, input, async ({ mirror, events, verifying }) => {
    const { output, prompt, yes } = context;
    const plan = await mirror.repair(events, verifying);
    await showReport(output, plan.report);
    const { length } = plan.changes;
    const asks = length > 0 && !yes && prompt.isTerminal;
    if (asks && !(await prompt.confirm(`Write ${length} rows?`)))
      throw new CliError("Canceled. Nothing was changed.", exitCodes.failed);
    const { written, changedSince } = await mirror.apply(plan);
    if (output.isJson) await output.record({ ...plan.report, written, changedSince });
    else await output.line(`${written} rows written.`);
    if (changedSince.length > 0)
      throw new CliError(
        `${changedSince.length} rows have changed meanwhile and were left alone. Run the same command again.`,
        exitCodes.different,
      );
  });
