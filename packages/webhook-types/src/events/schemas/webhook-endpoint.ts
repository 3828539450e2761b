import { eventData, guess, open, resource } from "../fields.ts";

/** Only the id of the webhook endpoint. */
export const WebhookEndpoint = () => resource({});

/** Webhook endpoint events, by type. */
export const WebhookEndpointEvents = {
  /**
   * Fires when a test event is sent to an endpoint from the dashboard; carries only the endpoint
   * id.
   */
  "webhook_endpoint.test": () => eventData(guess(WebhookEndpoint())),
};

/** Event events, by type. */
export const EventEvents = {
  /**
   * Fires when a webhook endpoint landed in dead-letter.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "event.delivery_failed": () => eventData(guess(open({}))),
};
