import type { WebhookEndpointEvents, EventEvents } from "../../catalog/webhook-endpoint.ts";
import { data, open, resource, type Rows } from "./fields.ts";

const endpoint = () => resource({});

export const webhookEndpointRows = {
  "webhook_endpoint.test": () => data(endpoint()),
} satisfies Rows<WebhookEndpointEvents>;

export const eventRows = {
  "event.delivery_failed": () => data(open({})),
} satisfies Rows<EventEvents>;
