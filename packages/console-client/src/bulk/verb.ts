import type { CallError } from "@fieldmesh/http";
import type { RunContext } from "./bulk-settings.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";

/** What became of one input. The public types of each verb say more. */
export interface AnyResult {
  readonly index: number;
  readonly status: Status;
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
  /** The id that a device has in the console. */
  readonly id?: string;
  readonly dev_eui?: string | undefined;
  readonly device_id?: string | undefined;
}

export type Status = "created" | "skipped" | "done" | "failed" | "unknown";

/** Which input a result belongs to. */
export type Facts = Pick<AnyResult, "index" | "dev_eui" | "device_id">;

/** An input that is valid and has no result yet. */
export interface PendingItem {
  readonly index: number;
  /** Of two inputs with the same key the second is a duplicate. It may hold the key of a device: nothing prints it. */
  readonly key: string;
  /**
   * All that is sent of it, which a chunk's hash is made of. That of a device is in it as a hash, the same in every run: all files together tell 53 bits of it,
   * and nobody can try out the other 75 of its 128 random bits.
   */
  readonly content: string;
  /** What all results of this input have. */
  readonly facts: Facts;
  /** It was part of a request that broke: a rejection may mean that this run has succeeded already. */
  sentBefore: boolean;
  /** Its own request timed out; `undefined` where all inputs of a chunk are sent in one. */
  timedOut?: boolean;
  /** What the console said when it rejected it after a request with it had broken, which may have been carried out. */
  rejection?: string;
}

/** Consecutive inputs, with their results so far. */
export interface Chunk<Item extends PendingItem = PendingItem> {
  readonly number: number;
  size: number;
  /** A hash of its inputs, in their order. */
  readonly digest: string;
  readonly results: AnyResult[];
  /** Inputs without a result. */
  pending: Item[];
  /** Set when a request with inputs of this chunk broke: they have to be read back. */
  ambiguity: Ambiguity | undefined;
  /** How often it was read back. */
  rounds: number;
  /** It was read back since it was last sent, with a device list that does not lag as far as the run can tell. */
  isRead: boolean;
}

/** Why, and since when, the outcome of a chunk is not known. */
export interface Ambiguity {
  /** Epoch milliseconds. */
  readonly since: number;
  /** The server may still be working on it. */
  readonly timedOut: boolean;
  readonly error: CallError | undefined;
}

/** The outcome of sending some inputs. */
export interface BatchOutcome {
  /** By the input's index. */
  readonly results: ReadonlyMap<number, AnyResult>;
  /** Set when the inputs without a result may or may not be carried out. */
  readonly ambiguity: Ambiguity | undefined;
}

/** What a device list shows. */
export interface Look<Item> {
  /** It lacks something that this run, or an earlier one of its checkpoint, knows to be carried out. */
  readonly lags: boolean;
  /** The result of an input that the list shows as carried out. */
  readonly resultOf: (item: Item) => AnyResult | undefined;
  /** The result of an input that the list does not show, and that the console rejected after a request with it had broken. */
  readonly rejectedOf: (item: Item, rejection: string) => AnyResult;
}

/** What one method over many devices does; the engine does what all of them share. */
export interface Verb<Item extends PendingItem> {
  /** Such as `devices.createMany`. */
  readonly method: string;
  /** How its inputs can end. */
  readonly statuses: readonly Status[];
  /** Checks one input. */
  readonly readInput: (input: unknown, index: number) => Item | AnyResult;
  /** What the error of the second of two equal inputs says, before the index of the first. */
  readonly duplicate: string;
  /** Settles inputs of a chunk that need no request. */
  readonly prepare?: (chunk: Chunk<Item>, context: RunContext) => Promise<void>;
  /** Sends inputs. Throws a failure that no other request would escape. */
  readonly send: (batch: readonly Item[], context: RunContext) => Promise<BatchOutcome>;
  /** Receives inputs that were carried out: a device list that does not show them lags. */
  readonly know: (items: readonly Item[]) => void;
  /** Reads the device list. */
  readonly look: (chunks: readonly Chunk<Item>[], context: RunContext) => Promise<Look<Item>>;
  /** Sending an input again does no harm, also when its first request is still in progress. */
  readonly repeatable: boolean;
  /** Chunks that are sent at the same time. */
  readonly chunksAtOnce: (context: RunContext) => number;
  /** Makes the error of a run that ended early. */
  readonly toError: (state: RunState, happened: string, cause: unknown) => Error;
}

/** How far a run was when it ended. */
export interface RunState {
  readonly progress: unknown;
  readonly checkpoint: BulkCheckpoint | undefined;
  readonly hasSent: boolean;
  readonly results: unknown;
}
