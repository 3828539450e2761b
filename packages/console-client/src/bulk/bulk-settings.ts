import { checkInteger, checkOptionNames, type Clock } from "@fieldmesh/core";
import type { CallOptions } from "@fieldmesh/http";
import type { Device, DeviceBatch, NewDevice } from "../device.ts";
import { MAX_BATCH } from "../fields.ts";
import type { CreateManyOptions } from "./bulk-types.ts";
import type { BulkCheckpoint, BulkTarget } from "./checkpoint.ts";

/** The methods of the client that a run calls. */
export interface DeviceMethods {
  list(options: CallOptions): Promise<readonly Device[]>;
  /** Reads where the client creates devices. */
  target(options: CallOptions): Promise<BulkTarget>;
  createBatch(input: { devices: NewDevice[] }, options: CallOptions): Promise<DeviceBatch>;
  /** The client checks rules that only running deployments have. */
  readonly observedRules: boolean;
}

/** The options of a run with every default filled in. */
export interface BulkSettings {
  readonly chunkSize: number;
  readonly concurrency: number;
  readonly settleTime: number;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

const MAX_CONCURRENCY = 16;
const MAX_TIMEOUT = 2 ** 31 - 1;

const OPTIONS: Readonly<Record<keyof CreateManyOptions, true>> = {
  chunkSize: true,
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
  checkpoint: BulkCheckpoint | undefined,
  clock: Clock,
): BulkSettings {
  checkOptionNames("createMany", options, Object.keys(OPTIONS));
  const { concurrency = 4, settleTime = 5_000, timeout = 120_000, signal } = options;
  const { chunkSize = checkpoint?.chunkSize ?? MAX_BATCH } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError("signal must be an AbortSignal.");
  checkInteger("chunkSize", chunkSize, 1, MAX_BATCH);
  checkInteger("concurrency", concurrency, 1, MAX_CONCURRENCY);
  checkInteger("settleTime", settleTime, 0, MAX_TIMEOUT);
  checkInteger("timeout", timeout, 1, MAX_TIMEOUT);
  return { chunkSize, concurrency, settleTime, timeout, signal, clock };
}
