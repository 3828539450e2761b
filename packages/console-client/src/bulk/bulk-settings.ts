import { checkInteger, type Clock } from "@fieldmesh/core";
import type { CallOptions } from "@fieldmesh/http";
import type { Device, DeviceBatch, NewDevice } from "../device.ts";
import { MAX_BATCH } from "../fields.ts";
import type { CreateManyOptions } from "./bulk-types.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";

/** The methods of the client that a run calls. */
export interface DeviceMethods {
  readonly list: (options?: CallOptions) => Promise<Device[]>;
  readonly createBatch: (
    input: { readonly devices: NewDevice[] },
    options?: CallOptions,
  ) => Promise<DeviceBatch>;
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

const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 16;
const DEFAULT_SETTLE_TIME = 5_000;
const DEFAULT_TIMEOUT = 120_000;
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Checks the options and fills in the defaults; throws a TypeError that says what to write. */
export function readBulkSettings(
  options: CreateManyOptions,
  checkpoint: BulkCheckpoint | undefined,
  clock: Clock,
): BulkSettings {
  const { concurrency, settleTime, timeout, signal } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError("signal must be an AbortSignal.");
  const chunkSize = options.chunkSize ?? checkpoint?.chunkSize ?? MAX_BATCH;
  return {
    chunkSize: checkInteger("chunkSize", chunkSize, 1, MAX_BATCH),
    concurrency: checkInteger(
      "concurrency",
      concurrency ?? DEFAULT_CONCURRENCY,
      1,
      MAX_CONCURRENCY,
    ),
    settleTime: checkInteger("settleTime", settleTime ?? DEFAULT_SETTLE_TIME, 0, MAX_TIMEOUT),
    timeout: checkInteger("timeout", timeout ?? DEFAULT_TIMEOUT, 1, MAX_TIMEOUT),
    signal,
    clock,
  };
}
