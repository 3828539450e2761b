import type * as z from "zod/mini";
import { hashText } from "@fieldmesh/core";
import { encodeInput, type CallError } from "@fieldmesh/http";
import { NewDevice } from "../device.ts";
import type { CreateResult, FailedResult } from "./bulk-types.ts";

/** Consecutive devices of the input, with their results so far. */
export interface Chunk {
  readonly number: number;
  size: number;
  /** A hash of its devices, in their order. */
  readonly digest: string;
  readonly results: CreateResult[];
  /** Devices without a result. */
  pending: PendingDevice[];
  /** Set when a request with devices of this chunk broke: they have to be read back. */
  ambiguity: Ambiguity | undefined;
  /** How often it was read back. */
  rounds: number;
}

/** Why, and since when, the outcome of a chunk is not known. */
export interface Ambiguity {
  /** Epoch milliseconds. */
  readonly since: number;
  /** The server may still be working on it, so it is never resent. */
  readonly timedOut: boolean;
  readonly error: CallError | undefined;
}

/** A device that is valid and has no result yet. */
export interface PendingDevice {
  readonly index: number;
  readonly device: NewDevice;
  readonly dev_eui: string;
  /** dev_eui, app_eui and app_key, upper-case: what the console knows a device by. */
  readonly triple: string;
  /** It was part of a request that broke: a rejection may mean that this run has created it already. */
  sentBefore: boolean;
  /** The error of its second rejection, which counts only if the device is not in the console. */
  rejection?: string;
}

/** The outcome of a request. */
export interface BatchOutcome {
  /** By the device's index. */
  readonly results: ReadonlyMap<number, CreateResult>;
  /** Set when the devices without a result may or may not be there. */
  readonly ambiguity: Ambiguity | undefined;
}

/** Adds the outcome of a request to one of the chunks whose devices it held. */
export function settle(
  chunk: Chunk,
  batch: readonly PendingDevice[],
  { results, ambiguity }: BatchOutcome,
): void {
  const sent = new Set(batch);
  chunk.results.push(...chunk.pending.flatMap(({ index }) => results.get(index) ?? []));
  chunk.pending = chunk.pending.filter(({ index }) => !results.has(index));
  const left = chunk.pending.filter((device) => sent.has(device));
  if (left.length > 0) chunk.ambiguity = ambiguity;
  for (const device of left) device.sentBefore = true;
}

const HEX = 16;

/** Cuts devices of any source into chunks; checks each one and finds the second of two that are the same. */
export async function* readChunks(
  source: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  chunkSize: number,
  observedRules: boolean,
): AsyncGenerator<Chunk, void, undefined> {
  /** The index of each triple. It holds keys, so it stays in this function, where nothing prints it. */
  const firstIndex = new Map<string, number>();
  let index = 0;
  let chunk = emptyChunk(0);
  /** The EUIs of the chunk; a hash of keys would belong to the secrets. */
  let euis: string[] = [];

  const close = (): Chunk => {
    return { ...chunk, digest: hashText(euis.join()).toString(HEX) };
  };

  for await (const device of source) {
    const read = readDevice(device, index, observedRules);
    if ("status" in read) {
      euis.push("invalid");
      chunk.results.push(read);
    } else {
      euis.push(read.dev_eui + read.device.app_eui);
      const first = firstIndex.get(read.triple);
      if (first === undefined) {
        firstIndex.set(read.triple, index);
        chunk.pending.push(read);
      } else {
        chunk.results.push(duplicateOf(read, first));
      }
    }
    index++;
    chunk.size++;
    if (chunk.size === chunkSize) {
      yield close();
      chunk = emptyChunk(chunk.number + 1);
      euis = [];
    }
  }
  if (chunk.size > 0) yield close();
}

function emptyChunk(number: number): Chunk {
  return { number, size: 0, digest: "", results: [], pending: [], ambiguity: undefined, rounds: 0 };
}

function readDevice(
  device: unknown,
  index: number,
  observedRules: boolean,
): PendingDevice | FailedResult {
  const encoded = encodeInput(NewDevice, device, observedRules);
  if (!("problems" in encoded)) {
    const { dev_eui, app_eui, app_key } = encoded.output as z.input<typeof NewDevice>;
    return {
      index,
      // A copy: a source may reuse the same object for its next device before this one is sent.
      device: encoded.output as NewDevice,
      dev_eui: dev_eui.toUpperCase(),
      triple: (dev_eui + app_eui + app_key).toUpperCase(),
      sentBefore: false,
    };
  }
  const { problems } = encoded;
  const dev_eui = (device as { dev_eui?: unknown } | null | undefined)?.dev_eui;
  const isEui =
    typeof dev_eui === "string" && !problems.some(({ path }) => path === "dev_eui" || path === "");
  return {
    status: "failed",
    reason: "invalid",
    index,
    dev_eui: isEui ? dev_eui.toUpperCase() : undefined,
    error: problems
      .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
      .join("; "),
  };
}

function duplicateOf({ index, dev_eui }: PendingDevice, first: number): FailedResult {
  const error = `dev_eui: the same device stands in the input before, at index ${first}`;
  return { status: "failed", reason: "duplicate", index, dev_eui, error };
}
