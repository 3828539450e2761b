import type { CallError } from "@fieldmesh/http";
import type { RunContext } from "./bulk-settings.ts";
import type { BulkCheckpoint, OpenChunk } from "./checkpoint.ts";

/** The outcome of one input. The public types of each verb have more details. */
export interface AnyResult {
  readonly index: number;
  readonly status: Status;
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
  /** The id of the device in the console. */
  readonly id?: string;
  readonly dev_eui?: string | undefined;
  readonly device_id?: string | undefined;
}

/** Why the outcome of an input is not certain. */
export type Doubt = OpenChunk["kind"];

export type Status = "created" | "skipped" | "done" | "failed" | "unknown";

/** Identifies the input of a result. */
export type Identity = Pick<AnyResult, "index" | "dev_eui" | "device_id">;

/** A valid input without a result. */
export interface PendingItem {
  readonly index: number;
  /** Two inputs with the same key are duplicates. It may contain the key of a device, so nothing prints it. */
  readonly key: string;
  /**
   * Everything that is sent for the input. The hash of a chunk is computed from it. The key of a device is included as a hash,
   * the same in every run. All files together reveal 53 bits of it, and the other 75 of its 128 random bits cannot be guessed.
   */
  readonly content: string;
  /** The fields of all results of this input. */
  readonly identity: Identity;
  /** Why it may have been carried out. `undefined` if no request with it was sent, or if each was certainly rejected. */
  doubt?: Doubt;
  /** The error of the console after an earlier request with it had broken. That request may have been carried out. */
  rejection?: string;
}

/** Consecutive inputs, with their results so far. */
export interface Chunk<Item extends PendingItem = PendingItem> {
  readonly number: number;
  size: number;
  /** A hash of its inputs, in their order. */
  readonly digest: string;
  readonly results: AnyResult[];
  /** The inputs without a result. */
  pending: Item[];
  /** A request with inputs of this chunk may be at work, or begin at any moment. */
  isAtWork: boolean;
  /** When its last request has ended, or certainly ends by its own time limit, in milliseconds since 1970. */
  until: number;
  /** Why its last request broke. */
  error: CallError | undefined;
  /** How often it was read back. */
  rounds: number;
  /** It was read back since it was last sent, with a device list that seems to be current. */
  isRead: boolean;
}

/** The outcome of sending some inputs. One without a result has a doubt, unless a failure ended the requests. */
export interface BatchOutcome {
  /** The results by the index of the input. */
  readonly results: ReadonlyMap<number, AnyResult>;
  /** Why the last request broke. */
  readonly error?: CallError | undefined;
  /** A failure that would affect every other request. */
  readonly failure?: { readonly error: unknown } | undefined;
}

/** What a device list shows. */
export interface Look<Item> {
  /** It lacks something that this run, or an earlier one of its checkpoint, certainly carried out. */
  readonly lags: boolean;
  /** Returns the result of an input that the list shows as carried out. */
  readonly resultOf: (item: Item) => AnyResult | undefined;
  /** The list shows something that may be this input or another one, so it must not be sent again. */
  readonly isUnclear: (item: Item) => boolean;
  /** Returns the result of an input that the list does not show, and that was rejected after a request with it broke. */
  readonly rejectedOf: (item: Item, rejection: string) => AnyResult;
}

/** What one method for many devices does. The engine does what all of them share. */
export interface Verb<Item extends PendingItem> {
  /** For example `devices.createMany`. */
  readonly method: string;
  /** The possible statuses of its inputs. */
  readonly statuses: readonly Status[];
  /** Reads all inputs before the run does, if they can be read twice. */
  readonly survey?: (
    inputs: AsyncIterable<unknown>,
    context: Pick<RunContext, "clock" | "signal">,
  ) => Promise<void>;
  /** Checks one input. */
  readonly readInput: (input: unknown, index: number) => Item | AnyResult;
  /** Returns the failure of an input that another one excludes, such as an equal one before it. */
  readonly exclude: (item: Item) => AnyResult | undefined;
  /** Settles inputs of a chunk that need no request. */
  readonly prepare?: (chunk: Chunk<Item>, context: RunContext) => Promise<void>;
  /** Sends inputs. Throws a failure that would affect every other request, or returns it with the results before it. */
  readonly send: (batch: readonly Item[], context: RunContext) => Promise<BatchOutcome>;
  /** Receives inputs that were carried out. A device list that does not show them is delayed. */
  readonly know: (items: readonly Item[]) => void;
  /** Reads the device list. */
  readonly look: (chunks: readonly Chunk<Item>[], context: RunContext) => Promise<Look<Item>>;
  /** Sending an input again is harmless, even if its first request is still in progress. */
  readonly repeatable: boolean;
  /** The number of chunks that are sent in parallel. */
  readonly chunksAtOnce: (context: RunContext) => number;
  /** Creates the error of a run that ended early. */
  readonly toError: (state: RunState, happened: string, cause: unknown) => Error;
}

/** How far a run was when it ended, with the progress and the results of its verb. */
export interface RunState {
  readonly method: string;
  readonly checkpoint: BulkCheckpoint | undefined;
  readonly hasBegun: boolean;
  readonly progress: never;
  readonly results: never;
}
