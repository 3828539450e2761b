import { createSecretCheck, scrub } from "@fieldmesh/core/schema";
import { redactEvent } from "@fieldmesh/webhook-types/parse";
import { type DeliveryRecord, responseOf } from "../webhooks/delivery.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { DeliveryView } from "./wire.ts";

/** Returns the event of a delivery, and what the receiver responded. Throws a TypeError for an unknown delivery. */
export function viewDelivery(webhooks: Webhooks, id: string): DeliveryView {
  const { event_id, attempts } = findDelivery(webhooks, id);
  const event = findEvent(webhooks, event_id);
  const secrets = webhooks.endpoints.flatMap((endpoint) => endpoint.secrets);
  const isSecret = createSecretCheck(secrets.map((secret) => secret.reveal()));
  return {
    event: event === undefined ? null : redactEvent(event),
    responses: attempts.map((attempt) => {
      const body = responseOf(attempt);
      return body === undefined ? undefined : String(scrub(body, isSecret));
    }),
  };
}

/** Returns the stored event of a delivery, which has no codes. Throws a TypeError for an unknown delivery. */
export function eventOf(webhooks: Webhooks, id: string): StoredEvent | undefined {
  return findEvent(webhooks, findDelivery(webhooks, id).event_id);
}

function findEvent(webhooks: Webhooks, id: string): StoredEvent | undefined {
  return webhooks.events().find((each) => each.id === id);
}

function findDelivery(webhooks: Webhooks, id: string): DeliveryRecord {
  const delivery = webhooks.deliveries().find((each) => each.id === id);
  if (delivery === undefined) throw new TypeError("There is no such delivery.");
  return delivery;
}
