import { parseJson, Secret, stringifyJson, mistake } from "@fieldmesh/core/internal";
import { createRandom } from "../random.ts";
import type { SavedWebhooks } from "../saved/snapshot-schema.ts";
import { type AttemptRecord, copyDetails } from "./delivery.ts";
import type { Send } from "./endpoint.ts";
import type { StoredEvent } from "./event-copies.ts";
import type { WebhookMemory } from "./webhook-memory.ts";

export type { SavedWebhooks };

/** The functions that receive deliveries, by the id of their endpoint. JSON has no functions. */
export type EndpointFunctions = ReadonlyMap<string, Send>;

/** Copies what webhooks remember. An attempt that is in progress belongs to this sandbox only. */
export function saveWebhooks(memory: WebhookMemory): SavedWebhooks {
  const { endpoints, stored, deliveries, disturbance, random } = memory;
  const contents = [...new Set(Array.from(deliveries.values(), ({ event }) => event))];
  const places = new Map(contents.map((event, place) => [event, place]));
  return {
    endpoints: Array.from(endpoints.values(), ({ record, fetch }) => ({
      ...record,
      enabled_events: [...record.enabled_events],
      secrets: record.secrets.map((secret) => secret.reveal()),
      in_process: fetch !== undefined,
    })),
    events: stored.map((event) => stringifyJson(event)),
    contents: contents.map((event) => stringifyJson(event)),
    deliveries: Array.from(deliveries.values(), ({ record, event, lostResponses, tries }) => ({
      id: record.id,
      content: places.get(event) ?? 0,
      endpoint_id: record.endpoint_id,
      status: record.status,
      attempts: record.attempts.map(saveAttempt),
      next: record.nextAttemptAt ?? null,
      lost_responses: lostResponses,
      tries,
    })),
    disturbance: { ...disturbance },
    ids: random.position(),
  };
}

function saveAttempt(record: AttemptRecord) {
  const { status, ...attempt } = record;
  const saved = { ...attempt, ...(status !== undefined && { status }) };
  copyDetails(record, saved as AttemptRecord);
  return saved;
}

function loadAttempt(saved: SavedWebhooks["deliveries"][number]["attempts"][number]) {
  const record: AttemptRecord = { ...saved, status: saved.status };
  // A snapshot of this process still has them.
  copyDetails(saved as AttemptRecord, record);
  return record;
}

export function functionsOf({ endpoints }: WebhookMemory): EndpointFunctions {
  const all = Array.from(endpoints, ([id, { fetch }]) => [id, fetch] as const);
  return new Map(all.filter((entry): entry is readonly [string, Send] => entry[1] !== undefined));
}

export function loadWebhooks(
  seed: number | string,
  saved: SavedWebhooks | undefined,
  functions: EndpointFunctions,
): WebhookMemory {
  const random = createRandom(seed, "webhooks", saved?.ids);
  const memory: WebhookMemory = {
    random,
    endpoints: new Map(),
    stored: (saved?.events ?? []).map(readEvent),
    deliveries: new Map(),
    disturbance: { ...saved?.disturbance },
  };
  if (saved === undefined) return memory;
  for (const { in_process, secrets, ...endpoint } of saved.endpoints) {
    const fetch = functions.get(endpoint.id);
    // Without its function, it is as if it had been unregistered.
    if (in_process && fetch === undefined) continue;
    const record = { ...endpoint, secrets: secrets.map((secret) => new Secret(secret)) };
    memory.endpoints.set(record.id, { record, fetch });
  }
  const contents = saved.contents.map(readEvent);
  for (const { content, next, lost_responses: lostResponses, tries, ...own } of saved.deliveries) {
    const event = contents[content];
    if (event === undefined) throw mistake("A delivery has no content.");
    const record = {
      ...own,
      event_id: event.id,
      type: event.type,
      attempts: own.attempts.map(loadAttempt),
      nextAttemptAt: next ?? undefined,
    };
    memory.deliveries.set(own.id, { record, event, lostResponses, tries });
  }
  return memory;
}

function readEvent(text: string): StoredEvent {
  return parseJson(text) as StoredEvent;
}
