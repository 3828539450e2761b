import type { WebhookEndpointEvents, EventEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

export const webhookEndpointSamples: Samples<WebhookEndpointEvents> = {
  "webhook_endpoint.test": { object: { id: "we_01JD3Z33L4" } },
};

export const eventSamples: Samples<EventEvents> = {
  "event.delivery_failed": { object: {} },
};
