import type { WebhookEndpointEvents, EventEvents } from "../../catalog/webhook-endpoint.js";
import { data, open, resource, type Rows } from "./fields.js";

const endpoint = () => resource({});

export const webhookEndpointRows = {
  "webhook_endpoint.test": () => data(endpoint()),
} satisfies Rows<WebhookEndpointEvents>;

export const eventRows = {
  "event.delivery_failed": () => data(open({})),
} satisfies Rows<EventEvents>;
