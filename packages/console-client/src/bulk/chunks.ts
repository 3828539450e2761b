import * as z from "zod/mini";
import { hashText } from "@fieldmesh/core";
import { toProblems, type CallError } from "@fieldmesh/http";
import { NewDevice } from "../device.ts";
import type { CreateResult, FailedResult } from "./bulk-types.ts";

/** A stretch of the input, and what is known of its devices so far. */
export interface Chunk {
  readonly number: number;
  size: number;
  /** A hash of the EUIs from the first chunk to this one. */
  readonly digest: string;
  readonly results: CreateResult[];
  /** Devices without a result. */
  pending: PendingDevice[];
  /** Set when a request with devices of this chunk broke: they have to be read back. */
  ambiguity: Ambiguity | undefined;
  /** How often it was read back. */
  rounds: number;
}

/** Why, and since when, nobody knows what became of a chunk. */
export interface Ambiguity {
  /** Epoch milliseconds. */
  readonly since: number;
  /** The server may be at work on it for ever so long, so it is never sent again. */
  readonly timedOut: boolean;
  readonly error: CallError | undefined;
}

/** A device that can be sent. */
export interface PendingDevice {
  readonly index: number;
  readonly device: NewDevice;
  readonly dev_eui: string;
  /** dev_eui, app_eui and app_key, upper-case: what the console knows a device by. */
  readonly triple: string;
  /** It was part of a request that broke: a refusal may mean that it exists already through this very run. */
  sentBefore: boolean;
  /** What the console said of it the second time, to be believed only if it is not there. */
  refusal?: string;
}

/** What a request says of its devices. */
export interface BatchOutcome {
  /** By the device's index. */
  readonly results: ReadonlyMap<number, CreateResult>;
  /** Set when the devices without a result may or may not be there. */
  readonly ambiguity: Ambiguity | undefined;
}

/** Writes what a request said into one of the chunks that it took devices from. */
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

/** Cuts devices of any source into chunks; checks each one and finds the second of two that are the same. */
export async function* readChunks(
  source: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  chunkSize: number,
): AsyncGenerator<Chunk, void, undefined> {
  /** The index of each triple. It holds keys, so it stays in this function, where nothing prints it. */
  const firstIndex = new Map<string, number>();
  let digest: [number, number] = [0, 0];
  let index = 0;
  let chunk = emptyChunk(0);

  const close = (): Chunk => {
    const text = chunk.pending.map((device) => device.dev_eui).join();
    digest = hashText(`${digest.join()},${chunk.size},${text}`, digest[1]);
    return { ...chunk, digest: digest.map((word) => word.toString(16).padStart(8, "0")).join("") };
  };

  for await (const device of source) {
    const read = readDevice(device, index);
    if ("status" in read) {
      chunk.results.push(read);
    } else {
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
    }
  }
  if (chunk.size > 0) yield close();
}

function emptyChunk(number: number): Chunk {
  return { number, size: 0, digest: "", results: [], pending: [], ambiguity: undefined, rounds: 0 };
}

function readDevice(device: unknown, index: number): PendingDevice | FailedResult {
  const encoded = z.safeEncode(NewDevice, device as NewDevice);
  if (encoded.success) {
    const { dev_eui, app_eui, app_key } = encoded.data;
    return {
      index,
      // A copy: a source may fill the same object again for its next device, before this one is sent.
      device: encoded.data,
      dev_eui,
      triple: dev_eui + app_eui + app_key,
      sentBefore: false,
    };
  }
  const problems = toProblems(encoded.error.issues, device);
  const given = (device as { dev_eui?: unknown } | null | undefined)?.dev_eui;
  const isEui =
    typeof given === "string" && !problems.some(({ path }) => path === "dev_eui" || path === "");
  return {
    status: "failed",
    reason: "invalid",
    index,
    dev_eui: isEui ? given.toUpperCase() : undefined,
    error: problems
      .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
      .join("; "),
  };
}

function duplicateOf({ index, dev_eui }: PendingDevice, first: number): FailedResult {
  const error = `dev_eui: the same device stands in the input before, at index ${first}`;
  return { status: "failed", reason: "duplicate", index, dev_eui, error };
}
