import { createSecretCheck, scrub } from "@fieldmesh/core/schema";
import { redactEvent } from "@fieldmesh/webhook-types/parse";
import { responseOf } from "../webhooks/delivery.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { DeliveryView } from "./wire.ts";

/** Returns the event of a delivery, and what the receiver responded. Throws a TypeError for an unknown delivery. */
export function viewDelivery(webhooks: Webhooks, id: string): DeliveryView {
  const delivery = webhooks.deliveries().find((each) => each.id === id);
  if (delivery === undefined) throw new TypeError("There is no such delivery.");
  const event = webhooks.events().find((each) => each.id === delivery.event_id);
  const secrets = webhooks.endpoints.flatMap((endpoint) => endpoint.secrets);
  const isSecret = createSecretCheck(secrets.map((secret) => secret.reveal()));
  return {
    event: event === undefined ? null : redactEvent(event),
    responses: delivery.attempts.map((attempt) => {
      const body = responseOf(attempt);
      return body === undefined ? undefined : String(scrub(body, isSecret));
    }),
  };
}
