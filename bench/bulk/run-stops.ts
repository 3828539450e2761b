import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox, systemClock } from "@fieldmesh/sandbox";
import { READY, startChild } from "../support/child.ts";
import type { StopNumbers, StopTask } from "./stop-child.ts";

const STOPS = ["abort", "SIGTERM", "SIGKILL", "SIGSTOP"] as const;
const STOPS_EACH = 3;
/** In milliseconds, at pace 1. */
const CHUNK = { least: 1_000, most: 20_000 };
/** A bit above the longest chunk, as a user who knows the console sets it. */
const ROOM = 2_000;
const LONGEST_RUN = 60_000;
const FROZEN = 40_000;

export interface StopsOptions {
  readonly fleets: number;
  readonly devices: number;
  /** What the times are multiplied with. */
  readonly pace: number;
}

/** One import: what the console holds, and whether each report adds up. */
export interface StopsOutcome {
  readonly stops: string;
  readonly exists: number;
  readonly created: number;
  readonly unknown: number;
  readonly doubled: number;
  readonly lost: number;
  readonly wrongSums: number;
}

/** Runs imports side by side, each stopped three times and resumed at once. */
export function runStops(options: StopsOptions): Promise<StopsOutcome[]> {
  return Promise.all(Array.from({ length: options.fleets }, (_, at) => runOne(options, at + 1)));
}

async function runOne({ devices, pace }: StopsOptions, seed: number): Promise<StopsOutcome> {
  await using sandbox = await startSandbox({
    clock: systemClock,
    logSize: 0,
    console: { data: "empty", duplicates: "allowed", requestsPerMinute: Infinity },
    faults: ({ row }) =>
      row === "devices.createBatch" || row === "devices.create"
        ? { kind: "delay", ms: pace * between(CHUNK.least, CHUNK.most) }
        : undefined,
  });
  const { baseUrl, state } = sandbox.console;
  const folder = mkdtempSync(join(tmpdir(), "stops-"));
  const task: StopTask = {
    baseUrl,
    apiKey: sandbox.apiKey,
    count: devices,
    seed,
    timeout: pace * CHUNK.most + ROOM,
    checkpointFile: join(folder, "checkpoint.json"),
  };
  const stops = Array.from({ length: STOPS_EACH }, () => STOPS[Math.floor(between(0, 4))]!);
  const left = [...stops];
  const seen: StopNumbers[] = [];
  while (seen.at(-1)?.isEnd !== true) seen.push(...(await runChild(task, left, pace)));
  rmSync(folder, { recursive: true });

  const euis = Array.from(state.devices.values(), ({ dev_eui }) => dev_eui);
  const end = seen.at(-1)!;
  const exists = new Set(euis).size;
  const sum = (each: StopNumbers): number =>
    each.created + each.failed + each.skipped + each.unknown + each.unsettled;
  const isWrong = (each: StopNumbers): boolean =>
    each.isEnd
      ? sum(each) !== devices || each.unsettled > 0
      : sum(each) > devices || each.created > exists;
  return {
    stops: stops.join(", "),
    exists,
    created: end.created,
    unknown: end.unknown,
    doubled: euis.length - exists,
    lost: Math.max(0, devices - exists - end.unknown) + Math.max(0, end.created - exists),
    wrongSums: seen.filter(isWrong).length,
  };
}

/** Runs an import until it has ended or is stopped for good. It takes its stops from the list. */
async function runChild(task: StopTask, left: string[], pace: number): Promise<StopNumbers[]> {
  const child = startChild("bulk/stop-child.ts", task);
  const seen: StopNumbers[] = [];
  let timer: NodeJS.Timeout | undefined;
  const plan = (): void => {
    const stop = left.shift();
    if (stop === undefined) return;
    const act = (): void => {
      if (stop === "abort") child.send("abort");
      else child.kill(stop as NodeJS.Signals);
      if (stop === "SIGSTOP") timer = setTimeout(() => child.kill("SIGCONT"), pace * FROZEN);
      if (stop === "SIGSTOP" || stop === "abort") setTimeout(plan, pace * FROZEN);
    };
    timer = setTimeout(act, pace * between(0, LONGEST_RUN));
  };
  child.on("message", (message) => {
    if (message === READY) plan();
    else seen.push(message as StopNumbers);
  });
  await once(child, "exit");
  clearTimeout(timer);
  return seen;
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
