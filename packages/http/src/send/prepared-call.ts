import { AbortError } from "../errors/abort-error.ts";
import type { Permits } from "../limit/permits.ts";
import type { Priority } from "../limit/queue.ts";
import { checkedInput, withCallOptions, type SendOptions } from "../options/call-options.ts";
import type { Credential } from "../options/credential.ts";
import type { Service } from "../options/service.ts";
import type { Settings } from "../options/settings.ts";
import { nameOfCall, type BoundRow } from "../request/request.ts";
import type { WireRequest } from "../request/write-request.ts";
import type { Fence } from "../wire/deadline.ts";
import type { BegunResponse } from "../wire/open-list.ts";
import type { Shared } from "./shared.ts";

/** What all calls of a client have in common. */
export interface Connection {
  readonly base: URL;
  readonly service: Service;
  readonly credential: Credential | undefined;
  readonly settings: Settings;
  /** What clients with the same server and credential share. */
  readonly shared: Shared;
  /** The headers of every call, without its key. */
  readonly headers: Headers;
  /** Adds those of a call to them. */
  readonly withHeaders: (own: NonNullable<SendOptions["headers"]>) => Headers;
  /** The caller says that the deployment carries out one request for each idempotency key. */
  readonly trustIdempotencyKeys: boolean;
}

/** Everything that is needed to send a call. */
export interface PreparedCall
  extends Omit<Connection, "withHeaders" | "shared">, Pick<Shared, "key" | "budget" | "pause"> {
  /** Identifies the call in hooks and logs. */
  readonly id: string;
  readonly endpoint: BoundRow;
  readonly request: WireRequest;
  readonly headers: Headers;
  /** Every key that the call has sent. A function may return a new key between two attempts. */
  readonly keys: Set<string>;
  readonly permits: Permits;
  readonly priority: Priority;
  readonly signal: AbortSignal | undefined;
  readonly fence: Fence | undefined;
  /** `sendOnce`, or `sendList`, which the clients without such a list do not bundle. */
  readonly send: (call: PreparedCall, signal: AbortSignal, timeLeft: number) => Promise<Success>;
}

/** A 2xx response. Its body is parsed as JSON, or is a string if it is not JSON, or is read later as a list. */
export interface Success {
  readonly response: BegunResponse;
  readonly value: unknown;
}

/** What a call begins with, besides its options. */
export interface CallStart extends Pick<PreparedCall, "id" | "endpoint" | "request" | "send"> {
  readonly fence?: Fence | undefined;
}

/** Applies the options of a call, and collects what it needs. Throws an InputError, or an AbortError if its signal has aborted. */
export function prepareCall(
  { shared, withHeaders, ...common }: Connection,
  { id, endpoint, request, fence, send }: CallStart,
  options: SendOptions,
): PreparedCall {
  const { signal, idempotencyKey, priority = "normal" } = options;
  const context = nameOfCall(endpoint);
  const settings = checkedInput(context, "options", () =>
    withCallOptions(common.settings, options),
  );
  const own = options.headers;
  const headers =
    own === undefined
      ? new Headers(common.headers)
      : checkedInput(context, "options", () => withHeaders(own));
  if (request.body !== undefined) headers.set("content-type", "application/json");
  if (endpoint.row.idempotencyKey)
    headers.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
  if (signal?.aborted === true)
    throw new AbortError({ ...context, outcome: "not_sent", attempts: [] }, signal.reason);
  return {
    ...common,
    id,
    endpoint,
    request,
    headers,
    settings,
    priority,
    signal,
    fence,
    send,
    key: shared.key,
    keys: new Set(),
    budget: shared.budget,
    ...(request.method === "GET"
      ? { pause: shared.pause, permits: shared.limits.reads }
      : { pause: shared.pauseOfWrites, permits: shared.limits.writes }),
  };
}
