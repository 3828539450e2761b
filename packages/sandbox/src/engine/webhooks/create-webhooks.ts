import { stringifyJson } from "@fieldmesh/core";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import { sampleEvent, type Overrides } from "@fieldmesh/webhook-types/samples";
import { nextTurn } from "../next-turn.ts";
import { createRandom } from "../random.ts";
import type { VirtualClock } from "../virtual-clock.ts";
import {
  attempt,
  RETRY_DELAYS,
  type AttemptRecord,
  type DeliveryRecord,
  type Disturbance,
} from "./delivery.ts";
import { createEndpoint, newSecret, type Endpoint, type Send } from "./endpoint.ts";
import { deliveredCopy, storedCopy, takesIn, wireData, type StoredEvent } from "./event-copies.ts";
import type { Webhooks, WebhooksSetting } from "./webhooks.ts";

/** Webhooks that can be stopped: then nothing is delivered, and nothing waits. */
export interface StoppableWebhooks extends Webhooks {
  stop(): void;
}

/** A delivery in progress. Its content is in closures, which no printer reads. */
interface Delivery extends DeliveryRecord {
  status: DeliveryRecord["status"];
  attempts: AttemptRecord[];
  nextAttemptAt: number | undefined;
}

/** Creates the webhooks of a sandbox. */
export function createWebhooks({ clock, seed, feed }: WebhooksSetting): StoppableWebhooks {
  const random = createRandom(seed, "webhooks");
  const stopped = new AbortController();
  const endpoints = new Map<string, { readonly record: Endpoint; readonly send: Send }>();
  const stored: StoredEvent[] = [];
  const deliveries = new Map<
    string,
    { readonly record: Delivery; readonly once: () => Promise<void> }
  >();
  const underWay = new Set<Promise<void>>();
  let disturbance: Disturbance = {};
  const reportDelivery = (record: Delivery): void => {
    if (feed.isWatched()) feed.report({ kind: "delivery", delivery: publicCopy(record) });
  };

  const emit: Webhooks["emit"] = (type, data, { livemode = false } = {}) => {
    const event: StoredEvent = {
      id: `evt_${random.hex(16).toLowerCase()}`,
      type,
      created_at: new Date(clock.now()).toISOString(),
      livemode,
      data: wireData(type, data),
      idempotency_key: `idem_${random.hex(16).toLowerCase()}`,
    };
    return deliver(event);
  };

  const deliver = (event: StoredEvent): StoredEvent => {
    const copy = storedCopy(event);
    stored.push(copy);
    feed.report({ kind: "event", event: copy });
    for (const { record } of endpoints.values()) {
      const takes = record.enabled_events.some((pattern) => takesIn(pattern, event.type));
      if (!takes || record.livemode !== event.livemode) continue;
      for (let n = 0; n <= (disturbance.duplicates ?? 0); n += 1) start(event, record.id);
    }
    return copy;
  };

  const start = (event: StoredEvent, endpointId: string) => {
    const { delay = 0, disorder = 0, lostResponses = 0 } = disturbance;
    const record: Delivery = {
      id: `del_${random.hex(12).toLowerCase()}`,
      event_id: event.id,
      type: event.type,
      endpoint_id: endpointId,
      status: "pending",
      attempts: [],
      nextAttemptAt: clock.now() + delay + (disorder > 0 ? random.int(0, disorder) : 0),
    };
    const once = async (): Promise<void> => {
      const endpoint = endpoints.get(endpointId);
      if (endpoint === undefined) return;
      const result = await attempt({
        endpoint: endpoint.record,
        send: endpoint.send,
        body: stringifyJson(deliveredCopy(event, endpoint.record.enabled_events)),
        clock,
        isResponseLost: record.attempts.length < lostResponses,
        signal: stopped.signal,
      });
      record.attempts.push(result);
      if (result.outcome !== "accepted") return;
      record.status = "delivered";
      record.nextAttemptAt = undefined;
    };
    deliveries.set(record.id, { record, once });
    reportDelivery(record);
    // It rejects only because of a stop.
    keepTrying(record, once).catch(() => {});
  };

  const keepTrying = async (record: Delivery, once: () => Promise<void>): Promise<void> => {
    for (const delay of [...RETRY_DELAYS, undefined]) {
      const due = record.nextAttemptAt ?? clock.now();
      await clock.sleep(due - clock.now(), stopped.signal);
      if (record.status === "pending") await track(once());
      const isLast = delay === undefined || !endpoints.has(record.endpoint_id);
      if (record.status === "pending" && isLast) record.status = "dead";
      record.nextAttemptAt = record.status === "pending" ? due + (delay ?? 0) : undefined;
      reportDelivery(record);
      if (record.status !== "pending") return;
    }
  };

  const track = async (work: Promise<void>): Promise<void> => {
    underWay.add(work);
    await work;
    underWay.delete(work);
  };

  const idle = async (): Promise<void> => {
    // New and woken deliveries start within a turn.
    do {
      await Promise.all(underWay);
      await nextTurn();
    } while (underWay.size > 0);
  };

  const trigger = async (type: string, overrides: object = {}): Promise<StoredEvent> => {
    const { data = {}, ...envelope } = overrides as { data?: object; livemode?: boolean };
    const fixed = {
      id: `evt_${random.hex(16).toLowerCase()}`,
      created_at: new Date(clock.now()).toISOString(),
      idempotency_key: `idem_${random.hex(16).toLowerCase()}`,
      ...envelope,
    };
    const event = isKnown(type)
      ? sampleEvent(type, {
          ...fixed,
          data: type.startsWith("subscriber.") ? wireOverrides(type, data) : data,
        } as Overrides<never>)
      : { livemode: false, ...fixed, type, data: { object: {}, ...data } };
    const copy = deliver({ ...event, data: wireData(type, event.data) });
    await idle();
    return copy;
  };

  const recordOf = (id: string) => {
    const found = deliveries.get(id);
    if (found === undefined) throw new TypeError(`There is no delivery ${id}.`);
    return found;
  };
  const records = () => [...deliveries.values()].map(({ record }) => publicCopy(record));

  return {
    register: (options) => {
      const [record, send] = createEndpoint(options, random);
      endpoints.set(record.id, { record, send });
      feed.report({ kind: "endpoints" });
      return record;
    },
    rotate: (endpointId, { keepOld = true } = {}) => {
      const endpoint = endpoints.get(endpointId)?.record;
      if (endpoint === undefined)
        throw new TypeError(`There is no webhook endpoint ${endpointId}.`);
      const secret = newSecret(random);
      endpoint.secrets = keepOld ? [secret, ...endpoint.secrets.slice(0, 1)] : [secret];
      feed.report({ kind: "endpoints" });
      return secret;
    },
    unregister: (endpointId) => {
      endpoints.delete(endpointId);
      feed.report({ kind: "endpoints" });
    },
    trigger,
    emit,
    idle,
    advance: async (ms) => {
      if (!("advance" in clock))
        throw new TypeError("Only a virtual clock can be advanced; this sandbox has a real one.");
      const virtual = clock as VirtualClock;
      const end = clock.now() + ms;
      for (;;) {
        await idle();
        const due = [...deliveries.values()].map(({ record }) => record.nextAttemptAt ?? Infinity);
        const next = Math.min(end, ...due);
        await virtual.advance(Math.max(0, next - clock.now()));
        if (next === end) break;
      }
      await idle();
    },
    disturb: (next) => {
      disturbance = next;
      feed.report({ kind: "disturbance" });
    },
    deliveries: records,
    deadLetters: () => records().filter(({ status }) => status === "dead"),
    replay: async (deliveryId) => {
      const { record, once } = recordOf(deliveryId);
      await track(once());
      reportDelivery(record);
      return publicCopy(record);
    },
    events: () => [...stored],
    get endpoints() {
      return [...endpoints.values()].map(({ record }) => record);
    },
    stop: () => stopped.abort(),
  };
}

const known: ReadonlySet<string> = new Set(eventTypes);

function isKnown(type: string): type is EventType {
  return known.has(type);
}

/** Returns the given fields of a subscriber, without those that its events never contain. */
function wireOverrides(type: string, data: object): object {
  const { object, ...rest } = wireData(type, data);
  return "object" in data ? { ...rest, object } : rest;
}

function publicCopy(record: Delivery): DeliveryRecord {
  return { ...record, attempts: [...record.attempts] };
}
