import { readBytes, type Clock, type Secret } from "@fieldmesh/core/internal";
import { sign } from "@fieldmesh/webhook-types";
import type { AttemptRecord, AttemptResponse } from "./delivery-record.ts";
import type { Endpoint, Send } from "./endpoint.ts";

export type { AttemptRecord, DeliveryRecord, Disturbance } from "./delivery-record.ts";

/** The delays after each failed attempt. After the last one, the delivery is dead. (observed) */
export const RETRY_DELAYS: readonly number[] = [
  30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];
/** In real milliseconds. The spec does not say how long the service waits. */
const RESPONSE_TIMEOUT = 10_000;

export interface Attempt {
  readonly endpoint: Endpoint;
  readonly send: Send;
  /** The body, created for this attempt and not stored. */
  readonly body: string;
  readonly clock: Clock;
  readonly isResponseLost: boolean;
  readonly signal: AbortSignal;
}

/** What an attempt sent and received. It is not a part of the record, because a response may contain anything. */
export interface AttemptDetails {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The patterns of the endpoint, which decide what the body contains. */
  readonly enabledEvents: readonly string[];
  readonly response: AttemptResponse | undefined;
}

const details = new WeakMap<AttemptRecord, AttemptDetails>();
/** Bytes of a response that are kept to show them. Of a longer one, nothing is. */
export const LONGEST_BODY = 4_096;

/** Returns what an attempt sent and received. `undefined` for an attempt of a snapshot from a file. */
export function detailsOf(record: AttemptRecord): AttemptDetails | undefined {
  return details.get(record);
}

/** Keeps the details of an attempt for a copy of its record. */
export function copyDetails(from: AttemptRecord, to: AttemptRecord): void {
  const kept = details.get(from);
  if (kept !== undefined) details.set(to, kept);
}

/** Signs and sends once. Never rejects. */
export async function attempt(planned: Attempt): Promise<AttemptRecord> {
  const { endpoint, send, body, clock, isResponseLost, signal } = planned;
  const at = clock.now();
  const began = performance.now();
  const { url, enabled_events: enabledEvents } = endpoint;
  let headers: Readonly<Record<string, string>> = {};
  const end = (
    status: number | undefined,
    outcome: AttemptRecord["outcome"],
    response?: AttemptDetails["response"],
  ): AttemptRecord => {
    const record = { at, status, outcome, duration: performance.now() - began };
    details.set(record, { url, headers, enabledEvents, response });
    return record;
  };
  try {
    const signed = await signatures(endpoint.secrets, body, Math.floor(at / 1000));
    headers = { ...signed, "content-type": "application/json" };
    const request = new Request(url, {
      method: "POST",
      headers,
      body,
      // A redirect leads to an address that was not registered.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT)]),
    });
    const response = await send(request);
    // An unread body would keep its connection open.
    const received = await readBytes(response.body, LONGEST_BODY).catch(() => undefined);
    if (isResponseLost) return end(undefined, "response_lost");
    return end(response.status, response.ok ? "accepted" : "rejected", {
      headers: Object.fromEntries(response.headers),
      body: received && new TextDecoder().decode(received),
    });
  } catch {
    return end(undefined, "no_response");
  }
}

/** Returns the headers of the platform's scheme, with one `v1` for each secret. */
async function signatures(
  secrets: readonly Secret[],
  body: string,
  timestamp: number,
): Promise<Record<string, string>> {
  const name = "platform-signature";
  const all = await Promise.all(secrets.map((secret) => sign({ secret, body, timestamp })));
  const parts = all.map((headers) => (headers[name] ?? "").replace(/^t=\d+,/, ""));
  return { [name]: [`t=${timestamp}`, ...parts].join(",") };
}
