import type { DeliveryRecord } from "./delivery.ts";
import type { StoredEvent } from "./event-copies.ts";

/** Where the webhooks report what happens to them: the part of the sandbox's feed that concerns them. */
export interface WebhookFeed {
  isWatched(): boolean;
  report(activity: WebhookActivity): void;
}

type WebhookActivity =
  | { readonly kind: "event"; readonly event: StoredEvent }
  | { readonly kind: "delivery"; readonly delivery: DeliveryRecord }
  | { readonly kind: "endpoints" | "disturbance" };
