import {
  wholeNumber,
  checkOptionNames,
  hasMethod,
  requireOptions,
  type Clock,
  mistake,
} from "@fieldmesh/core/internal";
import { inputProblem, type Fence } from "@fieldmesh/http/internal";
import { MAX_BATCH } from "../fields.ts";
import type { BulkOptions } from "./bulk-types.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";
import type { BulkLease, CheckedLease } from "./lease-types.ts";
import type { TraceStep } from "./trace-step.ts";
import type { Waits } from "./waits.ts";

/** The options of any run. */
export interface AnyOptions extends BulkOptions<never> {
  chunkSize?: number | undefined;
  timeout?: number | undefined;
}

/** What a run starts with, besides its options. */
export interface BulkStart {
  readonly checkpoint: BulkCheckpoint | undefined;
  /** The number of inputs, if it is known. */
  readonly total: number | undefined;
  readonly clock: Clock;
}

/** The defaults that differ between the methods. */
export interface BulkDefaults {
  readonly timeout: number;
  readonly leastChunk: number;
  readonly mostChunk: number;
  /** Names of options that only this method has. */
  readonly options: readonly string[];
}

/** The options of a run with every default filled in. */
export interface BulkSettings {
  readonly chunkSize: number;
  readonly concurrency: number;
  readonly settleTime: number;
  readonly timeout: number;
  /** A run leaves room for other calls. */
  readonly priority: "background";
  readonly signal: AbortSignal | undefined;
  readonly lease: CheckedLease | undefined;
  readonly clock: Clock;
}

/** What the parts of a run know about it. */
export interface RunContext extends BulkSettings {
  readonly during: Waits["during"];
  /** Counts a request with an input before it is sent. `-1` takes back one that certainly was not sent. */
  readonly countSend: (by: 1 | -1) => void;
  readonly traceStep: TraceStep;
  readonly fence: Fence | undefined;
}

const USUAL_CHUNKS = 50;
const UNKNOWN_TOTAL = 10_000;
const MAX_CONCURRENCY = 16;
const MAX_TIMEOUT = 2 ** 31 - 1;

const OPTIONS: Readonly<Record<keyof AnyOptions, true>> = {
  chunkSize: true,
  concurrency: true,
  settleTime: true,
  signal: true,
  lease: true,
  timeout: true,
  onProgress: true,
  checkpoint: true,
  onCheckpoint: true,
};

/** Checks the options and fills in the defaults. Throws a TypeError that says what to write. */
export function readBulkSettings(
  method: string,
  options: AnyOptions,
  defaults: BulkDefaults,
  { checkpoint, total, clock }: BulkStart,
): BulkSettings {
  checkOptionNames(method, options, [...Object.keys(OPTIONS), ...defaults.options]);
  const { concurrency = 4, settleTime = 5_000, timeout = defaults.timeout } = options;
  const { signal } = options;
  const { chunkSize = checkpoint?.chunkSize ?? usualChunkSize(defaults, total) } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw mistake("signal must be an AbortSignal.");
  wholeNumber(1, MAX_BATCH)(chunkSize, "chunkSize");
  wholeNumber(1, MAX_CONCURRENCY)(concurrency, "concurrency");
  wholeNumber(0, MAX_TIMEOUT)(settleTime, "settleTime");
  wholeNumber(1, MAX_TIMEOUT)(timeout, "timeout");
  const lease =
    options.lease === undefined ? undefined : checkLease(method, options.lease, settleTime);
  const priority = "background";
  return { chunkSize, concurrency, settleTime, timeout, priority, signal, lease, clock };
}

const LEAST_LEASE = 5_000;
const USUAL_LEASE = 60_000;

function checkLease(method: string, lease: BulkLease, settleTime: number): CheckedLease {
  const context = { call: `devices.${method}`, route: "POST /api/v1/devices" };
  requireOptions("lease", lease, "such as { id, store }");
  checkOptionNames("lease", lease, ["id", "store", "duration"]);
  const { id, store, duration = USUAL_LEASE } = lease;
  if (typeof id !== "string" || id === "")
    throw inputProblem(context, "options.lease.id", "must be a string that is not empty");
  if (!["claim", "extend", "release"].every((name) => hasMethod(store, name)))
    throw inputProblem(
      context,
      "options.lease.store",
      "must have the methods claim, extend and release, as redisStore has",
    );
  if (!Number.isInteger(duration) || duration < LEAST_LEASE || duration > MAX_TIMEOUT)
    throw inputProblem(
      context,
      "options.lease.duration",
      `must be a whole number of milliseconds, at least ${LEAST_LEASE}`,
    );
  if (duration <= settleTime)
    throw inputProblem(
      context,
      "options.lease.duration",
      `must be longer than settleTime, ${settleTime}, because the next owner waits that long before it sends`,
    );
  return { id, store, duration };
}

/** Doubles a timeout, up to the longest one that a timer accepts. */
export function twice(timeout: number): number {
  return Math.min(timeout * 2, MAX_TIMEOUT);
}

/** Small enough for visible progress, large enough for few requests and a small checkpoint. */
function usualChunkSize(
  { leastChunk, mostChunk }: BulkDefaults,
  total: number = UNKNOWN_TOTAL,
): number {
  return Math.min(mostChunk, Math.max(leastChunk, Math.ceil(total / USUAL_CHUNKS)));
}
