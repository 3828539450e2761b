import { checkInteger, checkOptionNames, type Clock } from "@fieldmesh/core";
import type { CallOptions } from "@fieldmesh/http";
import type { Device, DeviceBatch, NewDevice } from "../device.ts";
import { MAX_BATCH } from "../fields.ts";
import type { CreateManyOptions } from "./bulk-types.ts";
import type { BulkCheckpoint, BulkTarget } from "./checkpoint.ts";
import type { Waits } from "./waits.ts";

/** The methods of the client that a run calls. */
export interface DeviceMethods {
  list(options: CallOptions): Promise<readonly Device[]>;
  /** Reads where the client creates devices. */
  target(options: CallOptions): Promise<BulkTarget>;
  createBatch(input: { devices: NewDevice[] }, options: CallOptions): Promise<DeviceBatch>;
  /** The client checks rules that only running deployments have. */
  readonly observedRules: boolean;
}

/** What a run starts with, beside its options. */
export interface BulkStart {
  readonly checkpoint: BulkCheckpoint | undefined;
  /** Devices in the input, where it has a length. */
  readonly total: number | undefined;
  readonly clock: Clock;
}

/** The options of a run with every default filled in. */
export interface BulkSettings {
  readonly chunkSize: number;
  /** Devices that are in the console are not sent. */
  readonly skips: boolean;
  readonly concurrency: number;
  readonly settleTime: number;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

/** What the parts of a run know of it. */
export interface RunContext extends BulkSettings {
  readonly during: Waits["during"];
}

const USUAL_CHUNKS = 50;
const LEAST_USUAL_CHUNK = 100;
const UNKNOWN_TOTAL = 10_000;
const MAX_CONCURRENCY = 16;
const MAX_TIMEOUT = 2 ** 31 - 1;

const OPTIONS: Readonly<Record<keyof CreateManyOptions, true>> = {
  chunkSize: true,
  ifExists: true,
  concurrency: true,
  settleTime: true,
  signal: true,
  timeout: true,
  onProgress: true,
  checkpoint: true,
  onCheckpoint: true,
};

/** Checks the options and fills in the defaults; throws a TypeError that says what to write. */
export function readBulkSettings(
  options: CreateManyOptions,
  { checkpoint, total, clock }: BulkStart,
): BulkSettings {
  checkOptionNames("createMany", options, Object.keys(OPTIONS));
  const { concurrency = 4, settleTime = 5_000, timeout = 120_000, signal } = options;
  const { chunkSize = checkpoint?.chunkSize ?? usualChunkSize(total), ifExists } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError("signal must be an AbortSignal.");
  if (ifExists !== undefined && ifExists !== "skip")
    throw new TypeError('ifExists must be "skip", or be left out to send every device.');
  checkInteger("chunkSize", chunkSize, 1, MAX_BATCH);
  checkInteger("concurrency", concurrency, 1, MAX_CONCURRENCY);
  checkInteger("settleTime", settleTime, 0, MAX_TIMEOUT);
  checkInteger("timeout", timeout, 1, MAX_TIMEOUT);
  return { chunkSize, skips: ifExists === "skip", concurrency, settleTime, timeout, signal, clock };
}

/** Small enough for a progress that moves, large enough for few requests and a small checkpoint. */
function usualChunkSize(total = UNKNOWN_TOTAL): number {
  return Math.min(MAX_BATCH, Math.max(LEAST_USUAL_CHUNK, Math.ceil(total / USUAL_CHUNKS)));
}
