import { hasMethod, mistake } from "@fieldmesh/core/internal";
import type { HeadersLike, RawBody } from "../verify/message.ts";

/** A delivery from an adapter, before it is parsed. */
export interface RawMessage {
  readonly method: string | undefined;
  readonly headers: HeadersLike;
  /** The URL, or its path and query. `tenantOf` of a receiver reads it. */
  readonly url?: string | undefined;
  /**
   * The raw body, or a function that reads it. The function returns `undefined` once the body is longer than `limit` bytes. `late`
   * aborts after 30 s: drop what was read.
   */
  readonly body: RawBody | ((limit: number, late: AbortSignal) => Promise<RawBody | undefined>);
  /** Aborts when the sender has disconnected before it received the response. */
  readonly signal?: AbortSignal | undefined;
}

/** The response to send. */
export interface ReceiverResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The outcome of the delivery in one word. It contains nothing of the event. */
  readonly body: string;
}

/** The part of a receiver that adapters use. `createReceiver` returns one. */
export interface RawReceiver {
  readonly receive: (message: RawMessage) => Promise<ReceiverResponse>;
}

/** Throws a TypeError for a value that is not a receiver, before the first delivery. */
export function receiveOf(receiver: RawReceiver): RawReceiver["receive"] {
  if (!hasMethod(receiver, "receive"))
    throw mistake("An adapter requires a receiver, such as the result of createReceiver.");
  return receiver.receive;
}
