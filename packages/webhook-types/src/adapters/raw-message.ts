import { readBytes, hasMethod } from "@fieldmesh/core";
import type { HeadersLike } from "../verify/headers.ts";
import type { RawBody } from "../verify/body.ts";

/** A delivery as an adapter passes it on, before anything has parsed it. */
export interface RawMessage {
  readonly method: string | undefined;
  readonly headers: HeadersLike;
  /** The raw body, or what reads it: `undefined` as soon as it is longer than `limit` bytes. */
  readonly body: RawBody | ((limit: number) => Promise<RawBody | undefined>);
}

/** The response to send. */
export interface ReceiverResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The outcome of the delivery, in a word. It holds nothing of the event. */
  readonly body: string;
}

/** What adapters need of a receiver: what `createReceiver` returns. */
export interface RawReceiver {
  readonly receive: (message: RawMessage) => Promise<ReceiverResponse>;
}

/** Throws a TypeError for a value that is not a receiver, before any delivery comes. */
export function receiveOf(receiver: RawReceiver): RawReceiver["receive"] {
  if (!hasMethod(receiver, "receive"))
    throw new TypeError("An adapter takes a receiver, such as createReceiver makes.");
  return receiver.receive;
}

const REQUEST_HINT =
  "The body of this Request was read before the receiver got it. Give the receiver the Request first, and read nothing of it yourself.";

/** Reads the body of a Request. Throws a TypeError with the hint if it was read before. */
export function readRequest(
  request: Request,
  limit: number,
  hint: string = REQUEST_HINT,
): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) throw new TypeError(hint);
  return readBytes(request.body, limit);
}
