import { ENDED, watchFor } from "./within.ts";
import { hasMethod } from "./record.ts";

/** Reads a body to its end. Returns `undefined` once it is longer than `limit` bytes. A signal ends the body. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body && openBody(body);
  const cancel = (): void => reader?.cancel();
  signal?.addEventListener("abort", cancel);
  for (;;) {
    const next = await reader?.read();
    if (next?.value === undefined) return concatBytes(chunks, length);
    length += next.value.byteLength;
    if (length > limit) {
      cancel();
      return undefined;
    }
    addChunk(chunks, next.value);
  }
}

/** A body that is read chunk by chunk. */
export interface BodyReader {
  /** Returns the next chunk, or no value at the end. */
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  /** Ends the body. Nothing waits for it: a sender that never stops must not block the caller. */
  cancel(): void;
}

/** Opens a body. A stream of Node, as node-fetch and `dispatchFetch` return it, is read without one of the web around it. */
export function openBody(body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): BodyReader {
  if (hasMethod(body, "destroy")) {
    const stream = body as AsyncIterable<Uint8Array> & { destroy(): void };
    const chunks = stream[Symbol.asyncIterator]();
    return { read: () => chunks.next(), cancel: () => stream.destroy() };
  }
  const reader = ("getReader" in body ? body : ReadableStream.from(body)).getReader();
  return { read: () => reader.read(), cancel: () => void reader.cancel().catch(() => undefined) };
}

/** The time for the body of a delivery: a sender that stops in the middle must not hold what the receiver has of it. */
const LONGEST_READ = 30_000;

/** Reads the body of a delivery with a function of its own. Returns `null` if it does not end within 30 s, and aborts the signal. */
export async function readInTime<T>(read: (late: AbortSignal) => Promise<T>): Promise<T | null> {
  const late = new AbortController();
  const isLate = Promise.withResolvers<null>();
  const stop = watchFor(LONGEST_READ, () => {
    isLate.resolve(null);
    late.abort(ENDED);
  });
  try {
    return await Promise.race([isLate.promise, read(late.signal)]);
  } finally {
    stop();
  }
}

/** A sender chooses how its body is cut. An object for each byte would take a hundred times as much memory. */
const SMALL = 1_024;

/** Adds a chunk to those of a body. Small ones are joined at once. */
export function addChunk(chunks: Uint8Array[], chunk: Uint8Array): void {
  const last = chunks.at(-1);
  const length = (last?.byteLength ?? SMALL) + chunk.byteLength;
  if (last !== undefined && length <= SMALL)
    chunks.splice(-1, 1, concatBytes([last, chunk], length));
  else chunks.push(chunk);
}

/** Joins chunks that have `length` bytes in total. A single chunk is not copied. */
export function concatBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
