import type { BulkOptions, RunProgress } from "./bulk-types.ts";

/** Options of `devices.deleteMany`, `setActiveMany`, `addLabelMany` and `removeLabelMany`. */
export interface ChangeManyOptions extends BulkOptions<ChangeProgress> {
  /**
   * Devices from one progress and checkpoint to the next, 1 to 1,000; each device is a request of its own.
   *
   * @default a fiftieth of the input, between 10 and 100
   */
  chunkSize?: number | undefined;
  /** Milliseconds for one request; reading back the device list has two minutes or more. @default 30_000 - not in the spec */
  timeout?: number | undefined;
}

/** How far a run is, earlier runs of its checkpoint included. */
export interface ChangeProgress extends RunProgress {
  readonly done: number;
}

/** The outcome of one device of the input. */
export type ChangeResult = DoneChange | FailedChange | UnknownChange;

interface CommonResult {
  /** Its place in the input, counted from 0. */
  readonly index: number;
  /** `undefined` where the input held no UUID. */
  readonly device_id: string | undefined;
}

/** The device is as the input asks for. */
export interface DoneChange extends CommonResult {
  readonly status: "done";
}

/** The device was not changed. */
export interface FailedChange extends CommonResult {
  readonly status: "failed";
  /** `invalid`: not sent. `duplicate`: the same device was in the input before. `refused`: the console rejected it, such as with a 404. */
  readonly reason: "invalid" | "duplicate" | "refused";
  readonly error: string;
}

/** The outcome cannot be known: a request with it may have been carried out, or still be, and the device list does not show it. */
export interface UnknownChange extends CommonResult {
  readonly status: "unknown";
  /** Why, and what to do. */
  readonly error: string;
}

/** Results by kind, each list in the order of the input. */
export interface ChangeResults {
  readonly done: readonly DoneChange[];
  readonly failed: readonly FailedChange[];
  readonly unknown: readonly UnknownChange[];
}

/** A whole run; every device of the input is in exactly one of the three lists. */
export interface ChangeManyReport extends ChangeProgress {
  readonly results: ChangeResults;
  /**
   * Devices that a run before the checkpoint had settled. They are in the numbers. Of them, the lists hold those that failed or are
   * unknown, up to 1,000 that were sent.
   */
  readonly resumed: number;
}

/**
 * A run over many devices. Nothing is sent until it is awaited or iterated. It runs once: its loop and its report have the same results.
 *
 * A failure that every other device would meet (a rejected key, a server that stays unreachable) is thrown as a `BulkChangeError`, whose
 * `checkpoint` tells where to resume. Leaving the loop ends the run.
 *
 * Because a run can be awaited, an `async` function that returns one returns its report.
 */
export interface ChangeManyRun extends AsyncIterable<ChangeResult>, PromiseLike<ChangeManyReport> {
  /** Runs to the end and returns every result by kind, as `await` does. */
  report(): Promise<ChangeManyReport>;
  /** Runs to the end as `report` does, and handles its error. */
  catch: Promise<ChangeManyReport>["catch"];
  /** Runs to the end as `report` does, and then calls back. */
  finally: Promise<ChangeManyReport>["finally"];
}
