import type { BulkCheckpoint } from "./checkpoint.ts";
import type { BulkLease } from "./lease-types.ts";

/** Options of `devices.createMany`. */
export interface CreateManyOptions extends BulkOptions<BulkProgress> {
  /**
   * Devices per request, 1 to 1,000. Progress and checkpoint advance by this number.
   *
   * @default a fiftieth of the input, between 100 and 1_000; 200 for an input without a length
   */
  chunkSize?: number | undefined;
  /**
   * `"skip"` reads the device list once, before the first request. It does not send a device that the list contains with the same
   * dev_eui, app_eui and app_key: its result is `skipped`. If the list masks keys, the two EUIs are enough. By default, every device is sent, and the console decides.
   */
  ifExists?: "skip" | undefined;
  /**
   * Milliseconds for one bulk request. Reading the device list has a timeout of at least two minutes.
   *
   * @default 120_000 - not in the spec; a bulk request works on 1,000 devices
   */
  timeout?: number | undefined;
}

/**
 * The options that all methods for many devices share. The requests of a run leave room for other calls: they go after theirs when
 * calls wait for the rate limit, and are spread over the window.
 */
export interface BulkOptions<Progress> {
  /** The number of parallel requests, 1 to 16. @default 4 - not in the spec */
  concurrency?: number | undefined;
  /**
   * Milliseconds to wait after a broken request before the device list is read to find out what the request did, and between two
   * such lists. The server may still be working on the request, and the list may come from a replica. A device that two lists do
   * not show is sent again, so set this above the delay of the device list of your console. `0` reads one list immediately, for a
   * console whose list shows each change at once.
   *
   * @default 5_000 - not in the spec; well above the time for 1,000 devices, and above the usual delay of a replica
   */
  settleTime?: number | undefined;
  /** Ends the run. Unsent devices stay unsent. To resume, start a new run with the last checkpoint. */
  signal?: AbortSignal | undefined;
  /**
   * Receives the progress after every chunk, at the start of a resumed run, when the run begins to wait, and every 5 seconds
   * during a wait. It only observes: if it throws, or its promise rejects, the run continues, and the first such error is
   * printed with `console.warn`.
   */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Lets only one run at a time send requests, also in other processes: see {@link BulkLease}. With an `id`, the run claims it
   * before it reads or sends anything. The last step before each request is a check of the lease. Without it, the run ends with a
   * `LeaseLostError`. After a run that was interrupted, the next owner waits for twice `timeout`, because a request may still be at
   * work, looks up what the last one may have sent, and then sends. Allow its job more time than that.
   *
   * One moment is not fenced: a process that is stopped between the check and the socket sends its request when it continues. A
   * console that allows no duplicates rejects it.
   *
   * @default - no lease
   */
  lease?: BulkLease | undefined;
  /**
   * A checkpoint of an earlier run over the same devices in the same order. Devices that it settled are not sent again. Those whose
   * request may still be at work are looked up when its time limit has passed, twice `timeout`; all others are sent meanwhile.
   */
  checkpoint?: BulkCheckpoint | undefined;
  /**
   * Receives a new checkpoint before each request, after each settled chunk and when the run ends early, and is awaited without a limit, because nothing may
   * be sent before it is stored. If it takes longer than 30 seconds, a line is printed with `console.warn`. Once it has stored the
   * checkpoint, a kill at any moment loses nothing. A loop has then received all results of the chunks that the checkpoint
   * settles. A checkpoint is small and contains no key.
   */
  onCheckpoint?: ((checkpoint: BulkCheckpoint) => void | Promise<void>) | undefined;
}

/** The fields of the progress of every run. */
export interface RunProgress {
  /** The number of devices that failed. */
  readonly failed: number;
  /** The number of devices whose outcome is unknown. */
  readonly unknown: number;
  /**
   * The number of devices in chunks that were sent and have no result yet. Together with the other numbers, it counts every device that the
   * run has begun with. A resumed run settles those of an earlier one. 0 in a report.
   */
  readonly unsettled: number;
  /** The number of devices with a result of any kind. */
  readonly settled: number;
  /** The number of devices in the input. `undefined` for an input without a length. */
  readonly total: number | undefined;
  /** Set while the run waits without sending, and while a request or `onCheckpoint` has not finished for 5 seconds. */
  readonly waiting:
    | {
        /** The reason, such as the error of the last request, which is retried after the wait. */
        readonly why: string;
        readonly since: Date;
        /** `undefined` for a response, which may arrive at any time. */
        readonly until: Date | undefined;
      }
    | undefined;
}

/** How far a run is, including earlier runs of its checkpoint. */
export interface BulkProgress extends RunProgress {
  /** The number of devices that were created. */
  readonly created: number;
  /** The number of devices that already existed in the console. Always 0 without `ifExists`. */
  readonly skipped: number;
}

/** The outcome of one device of the input. */
export type CreateResult = CreatedResult | SkippedResult | FailedResult | UnknownResult;

/** What every result of `createMany` has. */
export interface CreateResultFields {
  /** The index in the input, starting at 0. */
  readonly index: number;
  /** The EUI in upper case. `undefined` if the input has no valid EUI, because its value may be a key. */
  readonly dev_eui: string | undefined;
}

/** The device was created. */
export interface CreatedResult extends CreateResultFields {
  readonly status: "created";
  /** Its id in the console. Empty if the response contains none, which only another `validation` than `"strict"` accepts. */
  readonly id: string;
}

/** The device already existed in the console and was not sent: see `ifExists`. */
export interface SkippedResult extends CreateResultFields {
  readonly status: "skipped";
  /** Its id in the console. Empty if the list contains none, which only another `validation` than `"strict"` accepts. */
  readonly id: string;
}

/** The device was not created. */
export interface FailedResult extends CreateResultFields {
  readonly status: "failed";
  /**
   * `invalid`: it breaks a rule and was not sent. `duplicate`: the same device precedes it in the input, and is sent once.
   * `conflicting`: the input contains its dev_eui with another app_eui or app_key too (observed), as after a spreadsheet has rounded
   * it. None of them is sent. Of an iterable without a length, the first one is, because it is sent before the other one is read.
   * `rejected`: the console rejected it.
   */
  readonly reason: "invalid" | "duplicate" | "conflicting" | "rejected";
  /** What is wrong, usually `<field>: <rule>`. Never contains a key. */
  readonly error: string;
}

/**
 * The outcome is unknown: a request with the device may have been carried out, or may still be in progress, and the device list
 * does not show it. Sending it again could create the device twice.
 */
export interface UnknownResult extends CreateResultFields {
  readonly status: "unknown";
  /** The reason, and what to do. */
  readonly error: string;
}

/** The results by kind, each list in the order of the input. */
export interface BulkResults {
  readonly created: readonly CreatedResult[];
  readonly failed: readonly FailedResult[];
  readonly unknown: readonly UnknownResult[];
  readonly skipped: readonly SkippedResult[];
}

/** The result of a whole run. Every device of the input is in exactly one of the lists. */
export interface CreateManyReport extends BulkProgress {
  /** The results by kind. */
  readonly results: BulkResults;
  /**
   * The number of devices that earlier runs of the checkpoint had settled. The other numbers include them. The lists contain
   * those of them that failed or are unknown: up to 1,000 that were sent.
   */
  readonly resumed: number;
}

/**
 * A run of `devices.createMany`. It sends nothing until you await or iterate it. It runs once: its loop and its report have the
 * same results. A loop receives the results chunk by chunk, as chunks are settled. Within a chunk, they are in the order of the
 * input.
 *
 * A failure that would affect every other chunk throws a `BulkError`, whose `checkpoint` tells where to resume. Examples are a
 * rejected key, and a server that stays unreachable or asks to wait longer than an hour. Leaving the loop ends the run.
 *
 * Because a run can be awaited, an `async` function that returns one returns its report.
 */
export interface CreateManyRun extends AsyncIterable<CreateResult>, PromiseLike<CreateManyReport> {
  /** Runs to the end and returns the results by kind, like `await`. */
  report(): Promise<CreateManyReport>;
  /** Runs to the end like `report`, and handles its error. */
  catch: Promise<CreateManyReport>["catch"];
  /** Runs to the end like `report`, and then calls the function. */
  finally: Promise<CreateManyReport>["finally"];
}
