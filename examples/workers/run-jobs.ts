// Creates devices through a queue: puts jobs into it, starts workers, shows how far they are, and adds up their reports.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  mergeReports,
  splitJob,
  type JobManifest,
  type MergedReport,
  type NewDevice,
} from "@fieldmesh/console-client";
import type { Engine, JobStates, WorkerReport } from "./engine.ts";
import type { Settings } from "./settings.ts";

/** How many devices a job has, and how many worker processes are started here. 0 if they run on other machines. */
export interface JobPlan {
  readonly size: number;
  readonly workers: number;
}

/** What became of all jobs. */
export interface Outcome {
  readonly report: MergedReport;
  /** The rows that were not created, counted from 0 over all jobs. */
  readonly problems: readonly { readonly row: number; readonly error: string }[];
  readonly failed: JobStates["failed"];
  readonly isCanceled: boolean;
  readonly ids: readonly string[];
}

const POLL_MS = 500;
const worker = join(import.meta.dirname, "..", "import-worker.ts");

/** Runs all jobs. Called again with the same devices, it resumes. `canceled` removes the jobs from the queue. */
export async function runJobs(
  devices: AsyncIterable<NewDevice>,
  { engine, key }: Settings,
  { size, workers }: JobPlan,
  canceled: AbortSignal,
): Promise<Outcome> {
  const split = splitJob(devices, { size, key });
  for await (const job of split) if (!canceled.aborted) await engine.add(job);
  const manifest = split.manifest();

  const pool = startWorkers(manifest.count === 0 ? 0 : workers);
  const isCanceled = (): boolean => canceled.aborted;
  let states: JobStates;
  try {
    states = await Promise.race([watch(engine, manifest, canceled), pool.broken]);
  } finally {
    await pool.stop();
  }
  if (isCanceled()) {
    // What was in progress may have ended meanwhile.
    states = await engine.look(idsOf(manifest));
    await engine.remove(openOf(manifest, states));
  }
  return {
    report: mergeReports(manifest, states.reports),
    problems: problemsOf(manifest, states.reports),
    failed: states.failed,
    isCanceled: isCanceled(),
    ids: idsOf(manifest),
  };
}

/** Shows how far the jobs are until all of them have ended. */
async function watch(
  engine: Engine,
  manifest: JobManifest,
  canceled: AbortSignal,
): Promise<JobStates> {
  const counts = new Map(manifest.jobs.map(({ id, count }) => [id, count]));
  const reports: WorkerReport[] = [];
  let states: JobStates = { reports, failed: [], active: 0 };
  while (!canceled.aborted) {
    const { failed, active, ...fresh } = await engine.look(openOf(manifest, states));
    reports.push(...fresh.reports);
    states = { reports, failed, active };
    const settled = reports.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0);
    const jobs = `${reports.length} of ${manifest.jobs.length} jobs`;
    show(`${jobs}, ${settled} of ${manifest.count} devices, ${active} in progress`);
    if (reports.length + failed.length === manifest.jobs.length) break;
    await sleep(POLL_MS, undefined, { signal: canceled }).catch(() => undefined);
  }
  if (process.stdout.isTTY) console.log();
  return states;
}

let lastLine = "";

/** Replaces the line of a terminal. In a file, each change is a line. */
function show(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001B[2K${line}`);
  else if (line !== lastLine) console.log(line);
  lastLine = line;
}

function idsOf({ jobs }: JobManifest): string[] {
  return jobs.map(({ id }) => id);
}

/** The jobs without a report. */
function openOf(manifest: JobManifest, { reports }: JobStates): string[] {
  const done = new Set(reports.map(({ id }) => id));
  return idsOf(manifest).filter((id) => !done.has(id));
}

function problemsOf(
  { jobs }: JobManifest,
  reports: readonly WorkerReport[],
): { row: number; error: string }[] {
  const byId = new Map(reports.map((report) => [report.id, report]));
  let first = 0;
  return jobs.flatMap(({ id, count }) => {
    const begin = first;
    first += count;
    const { problems = [] } = byId.get(id) ?? {};
    return problems.map(({ index, error }) => ({ row: begin + index, error }));
  });
}

/** Starts worker processes. One that is killed is replaced, and one that fails ends the import. */
function startWorkers(count: number) {
  const children = new Set<ChildProcess>();
  const broken = Promise.withResolvers<never>();
  let isStopping = false;
  const start = (): void => {
    const child = spawn(process.execPath, [worker], { stdio: ["ignore", "inherit", "inherit"] });
    children.add(child);
    child.once("exit", (code) => {
      children.delete(child);
      if (isStopping) return;
      if (code === null) start();
      else broken.reject(new Error("A worker has ended, see its message above."));
    });
  };
  for (let number = 0; number < count; number++) start();
  return {
    broken: broken.promise,
    async stop() {
      isStopping = true;
      const ended = [...children].map((child) => once(child, "exit"));
      for (const child of children) child.kill("SIGTERM");
      await Promise.all(ended);
    },
  };
}
