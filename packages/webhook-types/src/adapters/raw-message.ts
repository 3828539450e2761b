import type { HeadersLike } from "../verify/headers.ts";
import type { RawBody } from "../verify/body.ts";

/** A delivery as an adapter hands it over: what came, before anybody has parsed it. */
export interface RawMessage {
  readonly method: string | undefined;
  readonly headers: HeadersLike;
  /** The raw body, or what reads it: `undefined` as soon as it is longer than `limit` bytes. */
  readonly body: RawBody | ((limit: number) => Promise<RawBody | undefined>);
}

/** What to answer. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What became of the delivery, in a word; it holds nothing of the event. */
  readonly body: string;
}

/** What adapters need of a receiver: what `createReceiver` gives. */
export interface RawReceiver {
  readonly receive: (message: RawMessage) => Promise<ReceiverAnswer>;
}

/** Throws a TypeError for what is no receiver, before any delivery comes. */
export function receiveOf(receiver: RawReceiver): RawReceiver["receive"] {
  const receive = (receiver as Partial<RawReceiver> | undefined)?.receive;
  if (typeof receive !== "function")
    throw new TypeError("An adapter takes a receiver, such as createReceiver makes.");
  return receive;
}

const REQUEST_HINT =
  "The body of this Request was read before the receiver got it. Give the receiver the Request first, and read nothing of it yourself.";

/** Reads the body of a Request; throws a TypeError with the hint where somebody has read it. */
export function readRequest(
  request: Request,
  limit: number,
  hint: string = REQUEST_HINT,
): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) throw new TypeError(hint);
  return readStream(request.body, limit);
}

/** Reads a stream of the web, and stops as soon as it is longer than `limit` bytes. */
async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next?.value === undefined) return concat(chunks, length);
    length += next.value.length;
    if (length > limit) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
}

/** Puts chunks together; one alone is not copied. */
export function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
