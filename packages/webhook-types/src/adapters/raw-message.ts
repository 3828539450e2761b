import { readBytes } from "@fieldmesh/core";
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
  return readBytes(request.body, limit);
}
