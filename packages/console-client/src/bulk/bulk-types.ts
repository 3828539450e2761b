import type { BulkCheckpoint } from "./checkpoint.ts";

/** Options of `devices.createMany`. */
export interface CreateManyOptions {
  /** Devices in one request, 1 to 1,000. @default 1_000 - the most that the contract allows */
  chunkSize?: number | undefined;
  /** Requests under way at once, 1 to 16. @default 4 - not in the spec */
  concurrency?: number | undefined;
  /**
   * Milliseconds to wait before reading back what a broken request has done: the server may still be at work on it.
   *
   * @default 5_000 - not in the spec; well above what 1,000 devices were seen to take
   */
  settleTime?: number | undefined;
  /** Ends the run; what was not sent stays unsent, and the last checkpoint says where to go on. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds for one bulk request; a device list that is read back is given two minutes or more.
   *
   * @default 120_000 - not in the spec; a bulk request works on 1,000 devices
   */
  timeout?: number | undefined;
  /** Is told after every chunk, and at the start of a resumed run, how far the run is. */
  onProgress?: ((progress: BulkProgress) => void) | undefined;
  /** A checkpoint of an earlier run over the same devices in the same order: what it settled is not sent again. */
  checkpoint?: BulkCheckpoint | undefined;
  /**
   * Is given a new checkpoint before each request and after each chunk that is settled, and is awaited: when it has
   * stored it, a kill at any moment loses nothing. A checkpoint is small and holds no key.
   */
  onCheckpoint?: ((checkpoint: BulkCheckpoint) => void | Promise<void>) | undefined;
}

/** How far a run is, earlier runs of its checkpoint included. */
export interface BulkProgress {
  readonly created: number;
  readonly failed: number;
  readonly unknown: number;
  /** The sum of the three. */
  readonly settled: number;
}

/** What became of one device of the input. */
export type CreateResult = CreatedResult | FailedResult | UnknownResult;

interface CommonResult {
  /** Where in the input it stood, counted from 0. */
  readonly index: number;
  /** Upper-case; `undefined` where the input held no EUI (what stood there instead may have been a key). */
  readonly dev_eui: string | undefined;
}

/** The device is in the console. */
export interface CreatedResult extends CommonResult {
  readonly status: "created";
  /** Its id in the console. */
  readonly id: string;
}

/** The device is not in the console through this run. */
export interface FailedResult extends CommonResult {
  readonly status: "failed";
  /**
   * `invalid`: it breaks a rule and was not sent. `duplicate`: it stood in the input before and was not sent a second
   * time. `refused`: the console said no.
   */
  readonly reason: "invalid" | "duplicate" | "refused";
  /** What is wrong, usually `<field>: <rule>`; never a key. */
  readonly error: string;
}

/** Nobody can know: the request may still be carried out, and sending it again could create the device twice. */
export interface UnknownResult extends CommonResult {
  readonly status: "unknown";
  /** Why, and what to do. */
  readonly error: string;
}

/** A whole run; every device of the input is in exactly one of the three lists. */
export interface CreateManyReport extends BulkProgress {
  readonly results: {
    readonly created: readonly CreatedResult[];
    readonly failed: readonly FailedResult[];
    readonly unknown: readonly UnknownResult[];
  };
  /** Devices that a run before the checkpoint had settled; they are in the numbers, not in the lists. */
  readonly resumed: number;
}

/**
 * A run of `devices.createMany`. Nothing is sent until it is iterated or its report is asked for; it runs once.
 *
 * A failure that no other chunk would escape (a refused key, a server that stays away or asks to wait for longer than
 * an hour) is thrown from the iteration; go on from the last checkpoint.
 */
export interface CreateManyRun extends AsyncIterable<CreateResult> {
  /** Runs to the end and gives every result by kind. For millions of devices iterate instead. */
  report(): Promise<CreateManyReport>;
}
