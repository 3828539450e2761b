import type { CallOptions } from "@fieldmesh/http";
import type { BulkCheckpoint } from "./checkpoint.ts";

/** Options of `devices.createMany`. */
export interface CreateManyOptions extends BulkOptions<BulkProgress> {
  /**
   * Devices in one request, 1 to 1,000. Progress and checkpoint move by so many devices.
   *
   * @default a fiftieth of the input, between 100 and 1_000; 200 for an input without a length
   */
  chunkSize?: number | undefined;
  /**
   * `"skip"` reads the device list once, before the first request, and does not send a device that is in it with the same dev_eui,
   * app_eui and app_key: its result is `skipped`. Without it every device is sent, and the console decides.
   */
  ifExists?: "skip" | undefined;
  /**
   * Milliseconds for one bulk request; reading back the device list has two minutes or more.
   *
   * @default 120_000 - not in the spec; a bulk request works on 1,000 devices
   */
  timeout?: number | undefined;
}

/** Options that all methods over many devices share. */
export interface BulkOptions<Progress> {
  /** Requests in progress at once, 1 to 16. @default 4 - not in the spec */
  concurrency?: number | undefined;
  /**
   * Milliseconds between a broken request and the device list that shows what it has done, and between two such lists: the server may
   * still be working on it, and the list may come from a replica. What two lists do not show is sent again, so set it above the time by
   * which the list of your console lags. `0` reads one list at once, for a list that shows each change immediately.
   *
   * @default 5_000 - not in the spec; well above the time of 1,000 devices, and above the usual lag of a replica
   */
  settleTime?: number | undefined;
  /**
   * A run in the background leaves room for other calls: its requests go after theirs where the rate limit lets calls wait, and are spread over the window.
   *
   * @default "normal"
   */
  priority?: CallOptions["priority"];
  /** Ends the run; unsent devices stay unsent, and a new run resumes from the last checkpoint. */
  signal?: AbortSignal | undefined;
  /**
   * Receives the progress after every chunk, at the start of a resumed run, when the run begins to wait, and every 5 seconds while it
   * waits. It only watches: what it throws, or rejects with, changes nothing, and the first error is printed with `console.warn`.
   */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** A checkpoint of an earlier run over the same devices in the same order: devices that it settled are not resent. */
  checkpoint?: BulkCheckpoint | undefined;
  /**
   * Receives a new checkpoint before each request and after each settled chunk, and is awaited: once it has stored the
   * checkpoint, a kill at any moment loses nothing. A loop has received all results of the chunks that a checkpoint settles. A
   * checkpoint is small and holds no key.
   */
  onCheckpoint?: ((checkpoint: BulkCheckpoint) => void | Promise<void>) | undefined;
}

/** What the progress of all runs has. */
export interface RunProgress {
  readonly failed: number;
  readonly unknown: number;
  /** Devices that have a result, of whichever kind. */
  readonly settled: number;
  /** Devices in the input; `undefined` for an input without a length. */
  readonly total: number | undefined;
  /** Set while the run waits and sends nothing for it, or while a request has had no response for 5 seconds. */
  readonly waiting: BulkWait | undefined;
}

/** How far a run is, earlier runs of its checkpoint included. */
export interface BulkProgress extends RunProgress {
  readonly created: number;
  /** Devices that were in the console before; always 0 without `ifExists`. */
  readonly skipped: number;
}

/** Why a run waits, and until when. */
export interface BulkWait {
  /** Such as the error of the last request, which is sent again after the wait. */
  readonly why: string;
  readonly since: Date;
  /** `undefined` for a response, which may come at any time. */
  readonly until: Date | undefined;
}

/** The outcome of one device of the input. */
export type CreateResult = CreatedResult | SkippedResult | FailedResult | UnknownResult;

interface CommonResult {
  /** Its place in the input, counted from 0. */
  readonly index: number;
  /** Upper-case; `undefined` where the input held no EUI (the value may be a key). */
  readonly dev_eui: string | undefined;
}

/** The device is in the console. */
export interface CreatedResult extends CommonResult {
  readonly status: "created";
  /** Its id in the console. */
  readonly id: string;
}

/** The device was in the console before, and was not sent: see `ifExists`. */
export interface SkippedResult extends CommonResult {
  readonly status: "skipped";
  /** Its id in the console. */
  readonly id: string;
}

/** The device is not in the console through this run. */
export interface FailedResult extends CommonResult {
  readonly status: "failed";
  /**
   * `invalid`: it breaks a rule and was not sent. `duplicate`: the same device was in the input before
   * and is sent once. `refused`: the console rejected it.
   */
  readonly reason: "invalid" | "duplicate" | "refused";
  /** What is wrong, usually `<field>: <rule>`; never a key. */
  readonly error: string;
}

/**
 * The outcome cannot be known: a request with it may have been carried out, or still be, and the device list does not show it. Sending it
 * again could create the device twice.
 */
export interface UnknownResult extends CommonResult {
  readonly status: "unknown";
  /** Why, and what to do. */
  readonly error: string;
}

/** Results by kind, each list in the order of the input. */
export interface BulkResults {
  readonly created: readonly CreatedResult[];
  readonly failed: readonly FailedResult[];
  readonly unknown: readonly UnknownResult[];
  readonly skipped: readonly SkippedResult[];
}

/** A whole run; every device of the input is in exactly one of the lists. */
export interface CreateManyReport extends BulkProgress {
  readonly results: BulkResults;
  /**
   * Devices that a run before the checkpoint had settled. They are in the numbers. Of them, the lists hold those that failed or are
   * unknown, up to 1,000 that were sent.
   */
  readonly resumed: number;
}

/**
 * A run of `devices.createMany`. Nothing is sent until it is awaited or iterated. It runs once: its loop and its report have the same
 * results. A loop receives them chunk by chunk, as the chunks are settled; within a chunk they are in the order of the input.
 *
 * A failure that would hit every other chunk (a rejected key, a server that stays unreachable or asks to wait for longer than an
 * hour) is thrown as a `BulkError`, whose `checkpoint` tells where to resume. Leaving the loop ends the run.
 *
 * Because a run can be awaited, an `async` function that returns one returns its report.
 */
export interface CreateManyRun extends AsyncIterable<CreateResult>, PromiseLike<CreateManyReport> {
  /** Runs to the end and returns every result by kind, as `await` does. */
  report(): Promise<CreateManyReport>;
  /** Runs to the end as `report` does, and handles its error. */
  catch: Promise<CreateManyReport>["catch"];
  /** Runs to the end as `report` does, and then calls back. */
  finally: Promise<CreateManyReport>["finally"];
}
