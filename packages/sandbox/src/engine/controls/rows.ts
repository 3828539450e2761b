import type { LoggedRequest } from "../log/logged-request.ts";
import type { EndpointRecord } from "../webhooks/endpoint.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import { shownUrl } from "../webhooks/shown-url.ts";
import type { EndpointRow, EventRow, RequestRow } from "./wire.ts";

export function toRequestRow(request: LoggedRequest): RequestRow {
  const { number, time, service, row, method, path, status, fault, done } = request;
  // A tenth of a millisecond is what a person can read.
  const duration = request.duration && Math.round(request.duration * 10) / 10;
  return { number, time, service, row, method, path, status, duration, fault: fault?.kind, done };
}

export function toEventRow({ id, type, created_at, livemode }: StoredEvent): EventRow {
  return { id, type, created_at, livemode };
}

export function toEndpointRow(endpoint: EndpointRecord): EndpointRow {
  const { id, url, enabled_events, livemode, secrets } = endpoint;
  return { id, url: shownUrl(url), enabled_events, livemode, secrets: secrets.length };
}
