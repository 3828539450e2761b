import type { Clock } from "@fieldmesh/core";
import { createRandom, type Random, type RandomPosition } from "../random.ts";
import {
  RETRY_DELAYS,
  type AttemptRecord,
  type DeliveryRecord,
  type Disturbance,
} from "./delivery.ts";
import type { Endpoint, Send } from "./endpoint.ts";
import { receives, storedCopy, type StoredEvent } from "./event-copies.ts";

/** All that webhooks remember. No printer reads it, because nothing outside of them has it. */
export interface WebhookMemory {
  random: Random;
  /** `fetch` is the function of the options. */
  readonly endpoints: Map<string, { readonly record: Endpoint; readonly fetch: Send | undefined }>;
  /** As they may be shown. */
  readonly stored: StoredEvent[];
  readonly deliveries: Map<string, Delivery>;
  disturbance: Disturbance;
}

export interface Delivery {
  readonly record: DeliveryRecord & {
    status: DeliveryRecord["status"];
    attempts: AttemptRecord[];
    nextAttemptAt: number | undefined;
  };
  readonly event: StoredEvent;
  /** How many responses are dropped. */
  readonly lostResponses: number;
  /** The number of scheduled attempts so far. */
  tries: number;
}

/** What a person has set up: the endpoints with their secrets, and the disturbance. */
export interface WebhookSetup {
  readonly endpoints: readonly {
    readonly record: Endpoint;
    readonly fetch: Send | undefined;
  }[];
  readonly disturbance: Disturbance;
}

export type WebhookChanges = ReturnType<typeof webhookChanges>;

export interface WebhookReports {
  readonly clock: Clock;
  readonly onEvent: (event: StoredEvent) => void;
  readonly onDelivery: (delivery: Delivery) => void;
  readonly onOutcome: (delivery: Delivery) => void;
}

/** The changes of webhooks. Each can be repeated with its outcome, without a delivery. */
export function webhookChanges(
  memory: WebhookMemory,
  seed: number | string,
  { clock, onEvent, onDelivery, onOutcome }: WebhookReports,
) {
  const { endpoints, stored, deliveries } = memory;

  const start = (event: StoredEvent, endpoint_id: string) => {
    const { delay = 0, disorder = 0, lostResponses = 0 } = memory.disturbance;
    const { random } = memory;
    const record: Delivery["record"] = {
      id: `del_${random.hex(12).toLowerCase()}`,
      event_id: event.id,
      type: event.type,
      endpoint_id,
      status: "pending",
      attempts: [],
      nextAttemptAt: clock.now() + delay + (disorder > 0 ? random.int(0, disorder) : 0),
    };
    const delivery = { record, event, lostResponses, tries: 0 };
    deliveries.set(record.id, delivery);
    onDelivery(delivery);
  };

  return {
    setEndpoint: (record: Endpoint, fetch: Send | undefined) =>
      void endpoints.set(record.id, { record, fetch }),
    setSecrets: (id: string, secrets: Endpoint["secrets"]) => {
      const endpoint = endpoints.get(id);
      if (endpoint !== undefined) endpoint.record.secrets = secrets;
    },
    removeEndpoint: (id: string) => void endpoints.delete(id),
    disturb: (disturbance: Disturbance) => void (memory.disturbance = disturbance),
    configure: (setup: WebhookSetup) => {
      endpoints.clear();
      // Copies, because a rotation changes a record.
      for (const { record, fetch } of setup.endpoints)
        endpoints.set(record.id, { record: { ...record }, fetch });
      memory.disturbance = setup.disturbance;
    },
    /** Stores an event, and creates its deliveries. */
    accept: (event: StoredEvent) => {
      const copy = storedCopy(event);
      stored.push(copy);
      onEvent(copy);
      for (const { record } of endpoints.values()) {
        if (!receives(record, event)) continue;
        for (let n = 0; n <= (memory.disturbance.duplicates ?? 0); n += 1) start(event, record.id);
      }
      return copy;
    },
    /** Stores the outcome of an attempt. `result` is `undefined` if there was none. */
    settle: (deliveryId: string, result: AttemptRecord | undefined, isScheduled: boolean) => {
      const delivery = deliveries.get(deliveryId);
      if (delivery === undefined) return;
      const { record } = delivery;
      if (result !== undefined) record.attempts.push(result);
      if (result?.outcome === "accepted") record.status = "delivered";
      if (isScheduled) {
        const delay = RETRY_DELAYS[delivery.tries++];
        const isLast = delay === undefined || !endpoints.has(record.endpoint_id);
        if (record.status === "pending" && isLast) record.status = "dead";
        record.nextAttemptAt = (record.nextAttemptAt ?? clock.now()) + (delay ?? 0);
      }
      if (record.status !== "pending") record.nextAttemptAt = undefined;
      onOutcome(delivery);
    },
    continueAt: (position: RandomPosition) =>
      void (memory.random = createRandom(seed, "webhooks", position)),
  };
}
