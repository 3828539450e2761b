import { memberOf, mistake, readInput } from "@fieldmesh/core/internal";
import type { CreateManyReport } from "../bulk/run/bulk-types.ts";
import type { DeviceJob, JobManifest, JobReport, MergedReport } from "./job-types.ts";

const NUMBERS = ["created", "skipped", "failed", "unknown"] as const;

/**
 * Returns the numbers of a job that is done: a small JSON value without a device, as the result of the job in the queue.
 *
 * @example
 * ```ts
 * return reportOfJob(job, await client.devices.createMany(await openJob(job, key)));
 * ```
 */
export function reportOfJob(job: Pick<DeviceJob, "id">, report: CreateManyReport): JobReport {
  const [created, skipped, failed, unknown] = NUMBERS.map((name) => memberOf(report, name));
  return checkReport({ id: memberOf(job, "id"), created, skipped, failed, unknown });
}

/**
 * Adds up the reports of the jobs of an import, and names the jobs that are missing, doubled or foreign.
 *
 * @throws A TypeError for anything but a manifest and reports
 * @example
 * ```ts
 * const { created, missing } = mergeReports(manifest, reports);
 * if (missing.length > 0) console.error(`${missing.length} jobs are not done`);
 * ```
 */
export function mergeReports(manifest: JobManifest, reports: Iterable<JobReport>): MergedReport {
  return readInput("An argument of mergeReports", () => merge(manifest, reports));
}

function merge(manifest: JobManifest, reports: Iterable<JobReport>): MergedReport {
  if (memberOf(manifest, "version") !== 1 || !Array.isArray(memberOf(manifest, "jobs")))
    throw mistake("mergeReports requires the manifest of a split as its first argument.");
  if (typeof reports !== "object" || reports === null || !(Symbol.iterator in reports))
    throw mistake("mergeReports requires a list of reports as its second argument.");
  const known = new Set(manifest.jobs.map((job) => memberOf(job, "id") as string));
  const last = new Map<string, JobReport>();
  const doubled = new Set<string>();
  const foreign = new Set<string>();
  for (const report of reports) {
    const { id } = checkReport(report);
    if (!known.has(id)) foreign.add(id);
    else if (last.has(id)) doubled.add(id);
    if (known.has(id)) last.set(id, report);
  }
  const sums = { created: 0, skipped: 0, failed: 0, unknown: 0 };
  for (const report of last.values()) for (const name of NUMBERS) sums[name] += report[name];
  return {
    ...sums,
    count: manifest.count,
    settled: NUMBERS.reduce((sum, name) => sum + sums[name], 0),
    missing: [...known].filter((id) => !last.has(id)),
    doubled: [...doubled],
    foreign: [...foreign],
  };
}

function checkReport(report: unknown): JobReport {
  const isCounted = NUMBERS.every((name) => Number.isInteger(memberOf(report, name)));
  if (typeof memberOf(report, "id") !== "string" || !isCounted)
    throw mistake(
      "The reports of jobs are made by reportOfJob, from a job and the report of createMany: leave out jobs that have failed.",
    );
  return report as JobReport;
}
