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
  /** Whether the console rejects a second device with the same EUIs and key. */
  readonly duplicates: "rejected" | "allowed";
  /** Some requests also exceed the client's timeout while the server continues. */
  readonly withTimeouts?: boolean;
  readonly chunkSize?: number;
}

/** Every tenth request fails in one of these ways. */
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
/** Much longer than this sandbox works on a request that was reset. */
export const SETTLE_TIME = 100;

/** Returns the faults of every tenth request. */
export function faultsOf({ seed, withTimeouts = false }: Pick<FleetRun, "seed" | "withTimeouts">) {
  return { rate: FAULT_RATE, kinds: withTimeouts ? [...KINDS, TOO_SLOW, TOO_SLOW] : KINDS, seed };
}

/** Starts a console in which every tenth request fails. */
export function startFaultyConsole(run: FleetRun): Promise<RunningSandbox> {
  const { seed, duplicates } = run;
  return startSandbox({
    seed,
    faults: faultsOf(run),
    console: {
      data: "empty",
      duplicates,
      requestsPerMinute: Number.MAX_SAFE_INTEGER,
    },
  });
}

/** Creates a fleet in such a console, and compares the report with its devices. */
export async function runFleet(run: FleetRun) {
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
    ...compare(report, sandbox, run),
    requests,
    /** Requests divided by the number that a run without faults needs. */
    ratio: requests / Math.ceil(count / chunkSize),
  };
}

/** Returns the options that all runs share. */
export function bulkOptions({
  chunkSize = 1_000,
  withTimeouts = false,
}: FleetRun): CreateManyOptions {
  return { chunkSize, settleTime: SETTLE_TIME, ...(withTimeouts && { timeout: TIMEOUT }) };
}

/** Compares a report with the devices of the console. */
function compare(report: CreateManyReport, sandbox: RunningSandbox, { count, seed }: FleetRun) {
  const countByEui = new Map<string, number>();
  for (const { dev_eui } of sandbox.console.state.devices.values())
    countByEui.set(dev_eui, (countByEui.get(dev_eui) ?? 0) + 1);
  const { created, failed, unknown } = report.results;
  const seen = new Set([...created, ...failed, ...unknown].map(({ index }) => index));
  const euiOf = (index: number): string => makeDevice(index, seed).dev_eui;
  return {
    report,
    /** Devices in no list of the report, or in two. */
    unaccounted:
      Math.abs(count - seen.size) +
      Math.abs(seen.size - created.length - failed.length - unknown.length),
    /** Devices that are reported as created and do not exist. */
    lost: created.filter(({ index }) => !countByEui.has(euiOf(index))).length,
    /** Devices that exist more than once. */
    createdTwice: [...countByEui.values()].filter((times) => times > 1).length,
    /** Devices that are reported as failed and exist. */
    failedButThere: failed.filter(({ index }) => countByEui.has(euiOf(index))).length,
  };
}
