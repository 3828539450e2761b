import type { EventOf, OpenRecord, Resource } from "./envelope.ts";

/** Only the id of the webhook endpoint. */
export interface WebhookEndpoint extends Resource {}

/** Webhook endpoint events, by type. */
export interface WebhookEndpointEvents {
  /**
   * Fires when a test event is sent to an endpoint from the dashboard; carries only the endpoint
   * id.
   */
  "webhook_endpoint.test": EventOf<"webhook_endpoint.test", WebhookEndpoint>;
}

/** Event events, by type. */
export interface EventEvents {
  /**
   * Fires when a webhook endpoint landed in dead-letter.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "event.delivery_failed": EventOf<"event.delivery_failed", OpenRecord>;
}
