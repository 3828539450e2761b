import type { BulkOptions, RunProgress } from "./bulk-types.ts";

/** Options of `devices.deleteMany`, `setActiveMany`, `addLabelMany` and `removeLabelMany`. */
export interface ChangeManyOptions extends BulkOptions<ChangeProgress> {
  /**
   * Devices between two progress reports and checkpoints, 1 to 1,000. Each device is a request of its own.
   *
   * @default a fiftieth of the input, between 10 and 100
   */
  chunkSize?: number | undefined;
  /** Milliseconds for one request. Reading the device list has a timeout of at least two minutes. @default 30_000 - not in the spec */
  timeout?: number | undefined;
}

/** How far a run is, including earlier runs of its checkpoint. */
export interface ChangeProgress extends RunProgress {
  /** The number of devices that were changed. */
  readonly done: number;
}

/** The outcome of one device of the input. */
export type ChangeResult = DoneChange | FailedChange | UnknownChange;

/** What every result of a change has. */
export interface ChangeResultFields {
  /** The index in the input, starting at 0. */
  readonly index: number;
  /** `undefined` if the input has no UUID. */
  readonly device_id: string | undefined;
}

/** The device is in the state that the input requests. */
export interface DoneChange extends ChangeResultFields {
  readonly status: "done";
}

/** The device was not changed. */
export interface FailedChange extends ChangeResultFields {
  readonly status: "failed";
  /**
   * `invalid`: not sent. `duplicate`: the same device precedes it in the input. `rejected`: the console rejected it, for example
   * with a 404.
   */
  readonly reason: "invalid" | "duplicate" | "rejected";
  readonly error: string;
}

/**
 * The outcome is unknown: a request with the device may have been carried out, or may still be in progress, and the device list
 * does not show it.
 */
export interface UnknownChange extends ChangeResultFields {
  readonly status: "unknown";
  /** The reason, and what to do. */
  readonly error: string;
}

/** The results by kind, each list in the order of the input. */
export interface ChangeResults {
  readonly done: readonly DoneChange[];
  readonly failed: readonly FailedChange[];
  readonly unknown: readonly UnknownChange[];
}

/** The result of a whole run. Every device of the input is in exactly one of the three lists. */
export interface ChangeManyReport extends ChangeProgress {
  /** The results by kind. */
  readonly results: ChangeResults;
  /**
   * The number of devices that earlier runs of the checkpoint had settled. The other numbers include them. The lists contain
   * those of them that failed or are unknown: up to 1,000 that were sent.
   */
  readonly resumed: number;
}

/**
 * A run over many devices. It sends nothing until you await or iterate it. It runs once: its loop and its report have the same
 * results.
 *
 * A failure that would affect every other device, such as a rejected key or a server that stays unreachable, throws a
 * `BulkChangeError`, whose `checkpoint` tells where to resume. Leaving the loop ends the run.
 *
 * Because a run can be awaited, an `async` function that returns one returns its report.
 */
export interface ChangeManyRun extends AsyncIterable<ChangeResult>, PromiseLike<ChangeManyReport> {
  /** Runs to the end and returns the results by kind, like `await`. */
  report(): Promise<ChangeManyReport>;
  /** Runs to the end like `report`, and handles its error. */
  catch: Promise<ChangeManyReport>["catch"];
  /** Runs to the end like `report`, and then calls the function. */
  finally: Promise<ChangeManyReport>["finally"];
}
