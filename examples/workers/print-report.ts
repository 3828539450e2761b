import type { Outcome } from "./run-jobs.ts";

const MAX_LINES = 20;
/** Of a program that was ended by Ctrl-C. */
const CANCELED = 130;

/** Prints what became of an import, and returns the exit code. */
export function printReport(
  { report, problems, failed, isCanceled }: Outcome,
  nameRow: (row: number) => string,
): number {
  const { created, skipped, unknown, missing, count } = report;
  console.log(
    `${count} devices: ${created} created, ${skipped} skipped, ${report.failed} failed, ${unknown} unknown`,
  );
  for (const { row, error } of problems.slice(0, MAX_LINES))
    console.log(`  ${nameRow(row)}: ${error}`);
  if (problems.length > MAX_LINES) console.log(`  and ${problems.length - MAX_LINES} more`);
  for (const { id, reason } of failed) console.log(`  job ${id}: ${reason}`);
  if (missing.length > 0)
    console.log(`${missing.length} jobs are not done: start the same command again`);
  if (isCanceled) return CANCELED;
  return report.failed + unknown + missing.length > 0 ? 1 : 0;
}
