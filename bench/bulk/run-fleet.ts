import {
  createConsoleClient,
  type CreateManyOptions,
  type CreateManyReport,
} from "@fieldmesh/console-client";
import { startSandbox, type FaultKind, type RunningSandbox } from "@fieldmesh/sandbox";
import { makeDevice, makeFleet } from "./fleet.ts";

/** A bulk create under faults. */
export interface FleetRun {
  readonly count: number;
  readonly seed: number;
  /** What the console does with a second device of the same EUIs and key. */
  readonly duplicates: "refused" | "allowed";
  /** Some requests also run into the client's time-out while the server works on. */
  readonly withTimeouts?: boolean;
  readonly chunkSize?: number;
}

/** What it came to, judged by what the console holds in the end. */
export interface FleetOutcome {
  readonly report: CreateManyReport;
  /** In no list of the report, or in two. */
  readonly unaccounted: number;
  /** Reported created, and not in the console. */
  readonly lost: number;
  /** More than once in the console. */
  readonly createdTwice: number;
  /** Reported failed, and in the console. */
  readonly failedButThere: number;
  readonly requests: number;
  /** Requests over the number that a run without faults takes. */
  readonly ratio: number;
}

/** Every tenth request meets one of these. */
const FAULT_RATE = 0.1;
const KINDS: readonly FaultKind[] = [
  "reset",
  "lost",
  503,
  429,
  "truncate",
  { kind: "delay", ms: 50 },
];
const TIMEOUT = 1_500;
const TOO_SLOW: FaultKind = { kind: "delay", ms: 2 * TIMEOUT };
/** Far longer than this sandbox works on a request that was reset. */
const SETTLE_TIME = 400;

/** Starts a console that fails in every tenth request. */
export function startFaultyConsole({
  seed,
  duplicates,
  withTimeouts = false,
}: FleetRun): Promise<RunningSandbox> {
  const kinds = withTimeouts ? [...KINDS, TOO_SLOW, TOO_SLOW] : KINDS;
  return startSandbox({
    seed,
    faults: { rate: FAULT_RATE, kinds, seed },
    console: {
      data: "empty",
      deployment: { duplicates, requestsPerMinute: Number.MAX_SAFE_INTEGER },
    },
  });
}

/** Creates a fleet in a console that fails, and counts what the console then holds. */
export async function runFleet(run: FleetRun): Promise<FleetOutcome> {
  await using sandbox = await startFaultyConsole(run);
  const { count, seed, chunkSize = 1_000 } = run;
  const client = createConsoleClient({
    baseUrl: sandbox.console.baseUrl,
    apiKey: sandbox.apiKey,
    retry: { baseDelay: 5 },
  });
  const report = await client.devices.createMany(makeFleet(count, seed), bulkOptions(run)).report();
  const requests = sandbox.log.count;
  if (run.withTimeouts === true) await new Promise((resolve) => setTimeout(resolve, 2 * TIMEOUT));
  return {
    ...judge(report, sandbox, run),
    requests,
    ratio: requests / Math.ceil(count / chunkSize),
  };
}

/** The options that every run here has. */
export function bulkOptions({
  chunkSize = 1_000,
  withTimeouts = false,
}: FleetRun): CreateManyOptions {
  return { chunkSize, settleTime: SETTLE_TIME, ...(withTimeouts && { timeout: TIMEOUT }) };
}

/** Sets a report against what the console holds. */
function judge(
  report: CreateManyReport,
  sandbox: RunningSandbox,
  { count, seed }: FleetRun,
): Omit<FleetOutcome, "requests" | "ratio"> {
  const held = new Map<string, number>();
  for (const { dev_eui } of sandbox.console.state.devices.values())
    held.set(dev_eui, (held.get(dev_eui) ?? 0) + 1);
  const { created, failed, unknown } = report.results;
  const seen = new Set([...created, ...failed, ...unknown].map(({ index }) => index));
  const euiOf = (index: number): string => makeDevice(index, seed).dev_eui;
  return {
    report,
    unaccounted:
      Math.abs(count - seen.size) +
      Math.abs(seen.size - created.length - failed.length - unknown.length),
    lost: created.filter(({ index }) => !held.has(euiOf(index))).length,
    createdTwice: [...held.values()].filter((times) => times > 1).length,
    failedButThere: failed.filter(({ index }) => held.has(euiOf(index))).length,
  };
}
