// Runs an import with several workers, and disturbs them.
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { mergeReports, splitJob, type MergedReport } from "@fieldmesh/console-client";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { openEngine } from "@fieldmesh/examples/workers/engine.ts";
import { makeDevice, makeFleet } from "../bulk/fleet.ts";
import { nextMessage, startChild } from "../support/child.ts";
import { CHECKED_AT, importKey, type WorkerTask } from "./child.ts";

/** An import. */
export interface ImportRun {
  readonly sandbox: RunningSandbox;
  readonly queueUrl: string;
  readonly count: number;
  readonly seed: number;
  /** Devices in a job. */
  readonly size: number;
  readonly workers: number;
  readonly task: Omit<WorkerTask, "queueUrl" | "baseUrl" | "apiKey">;
  readonly kills?: number;
  readonly stops?: number;
  /** Called once in the middle. */
  readonly onHalf?: (() => Promise<void>) | undefined;
  /** Ends the import after this time in milliseconds, to count requests. */
  readonly endsAfter?: number;
}

/** What an import did. */
export interface ImportOutcome {
  readonly report: MergedReport;
  readonly seconds: number;
  readonly kills: number;
  readonly stops: number;
  /** Devices that were reported as created and do not exist, or that no report counts. */
  readonly lost: number;
  readonly doubled: number;
  /** Requests that arrived after the end of the lease that was checked for them. */
  readonly late: number;
}

const STOP_MS = 10_000;
const POLL_MS = 250;
/** The disturbances are spread over this part of the devices, so that the last one does not hit the end. */
const DISTURBED = 0.9;

/** Starts the workers, puts the jobs into the queue, and waits for the reports. */
export async function runImport(run: ImportRun): Promise<ImportOutcome> {
  const { sandbox, queueUrl, count, seed, size, workers, kills = 0, stops = 0 } = run;
  const { lease } = run.task;
  const engine = await openEngine(queueUrl, lease);
  const pool = startPool(run, workers);
  const late = countLate(lease);
  try {
    await pool.ready;
    const key = await importKey();
    const split = splitJob(makeFleet(count, seed), { size, key });
    const began = performance.now();
    for await (const job of split) await engine.add(job);
    const manifest = split.manifest();
    const ids = manifest.jobs.map(({ id }) => id);

    const disturbances = shuffle([
      ...Array.from({ length: kills }, () => "kill" as const),
      ...Array.from({ length: stops }, () => "stop" as const),
    ]);
    let done = 0;
    let isHalf = false;
    const resumed: Promise<void>[] = [];
    for (;;) {
      await sleep(POLL_MS);
      const created = sandbox.console.state.devices.size;
      const due = Math.floor((created / count / DISTURBED) * disturbances.length);
      if (done < Math.min(due, disturbances.length)) {
        const what = disturbances[done]!;
        if (what === "kill" ? pool.kill() : pool.stop(resumed)) done++;
      }
      if (!isHalf && created >= count / 2) {
        isHalf = true;
        await run.onHalf?.();
      }
      if (performance.now() - began > (run.endsAfter ?? Infinity)) break;
      const { reports, failed } = await engine.look(ids);
      if (reports.length + failed.length === ids.length) break;
    }
    const seconds = (performance.now() - began) / 1_000;
    await Promise.all(resumed);
    const { reports } = await engine.look(ids);
    const report = mergeReports(manifest, reports);
    const counted = done;
    return {
      report,
      seconds,
      kills: disturbances.slice(0, counted).filter((each) => each === "kill").length,
      stops: disturbances.slice(0, counted).filter((each) => each === "stop").length,
      ...compare(sandbox, run, report),
      late: late.count(),
    };
  } finally {
    late.end();
    await pool.end();
    await engine.close();
  }
}

/** The worker processes. One that is killed is replaced. */
function startPool({ sandbox, queueUrl, task }: ImportRun, count: number) {
  const { baseUrl } = sandbox.console;
  const running = new Set<ChildProcess>();
  const stopped = new Set<ChildProcess>();
  let isEnding = false;
  const start = async (): Promise<void> => {
    const all: WorkerTask = { ...task, queueUrl, baseUrl, apiKey: sandbox.apiKey };
    const child = startChild("workers/child.ts", all);
    running.add(child);
    child.once("exit", (code) => {
      running.delete(child);
      if (!isEnding && code !== null) throw new Error(`a worker ended with ${code}`);
    });
    await nextMessage(child);
  };
  const pick = (): ChildProcess | undefined => {
    const free = [...running].filter((child) => !stopped.has(child));
    return free[Math.floor(Math.random() * free.length)];
  };
  return {
    ready: Promise.all(Array.from({ length: count }, start)),
    kill(): boolean {
      const child = pick();
      child?.kill("SIGKILL");
      if (child !== undefined) void start();
      return child !== undefined;
    },
    stop(resumed: Promise<void>[]): boolean {
      const child = pick();
      if (child === undefined) return false;
      child.kill("SIGSTOP");
      stopped.add(child);
      const resume = async (): Promise<void> => {
        await sleep(STOP_MS);
        child.kill("SIGCONT");
        stopped.delete(child);
      };
      resumed.push(resume());
      return true;
    },
    async end(): Promise<void> {
      isEnding = true;
      const ended = [...running].map((child) => once(child, "exit"));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(ended);
    },
  };
}

/** Counts requests that arrive later than their lease allows: their process was stopped between the check and the socket. */
function countLate(lease: number) {
  let late = 0;
  const look = (message: unknown): void => {
    const { headers } = (message as { readonly request: IncomingMessage }).request;
    const checkedAt = Number(headers[CHECKED_AT]);
    if (Date.now() - checkedAt > lease) late++;
  };
  subscribe("http.server.request.start", look);
  return {
    count: () => late,
    end: () => void unsubscribe("http.server.request.start", look),
  };
}

function compare({ console: { state } }: RunningSandbox, run: ImportRun, report: MergedReport) {
  const times = new Map<string, number>();
  for (const { dev_eui } of state.devices.values())
    times.set(dev_eui, (times.get(dev_eui) ?? 0) + 1);
  let existing = 0;
  for (let index = 0; index < run.count; index++)
    if (times.has(makeDevice(index, run.seed).dev_eui)) existing++;
  return {
    lost: Math.max(0, report.created - existing) + (run.count - report.settled),
    doubled: [...times.values()].filter((each) => each > 1).length,
  };
}

function shuffle<T>(items: T[]): T[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [items[at], items[other]] = [items[other]!, items[at]!];
  }
  return items;
}
