import { recordOf } from "@fieldmesh/core/internal";
import { driftIssue } from "@fieldmesh/core/internal/schema";
import { eventData, guess, open, resource } from "../fields.ts";
import { carries, stating } from "../statements.ts";

/** A webhook endpoint, with its id only. */
export const WebhookEndpoint = () => resource({});

/** Webhook endpoint events, by type. */
export const WebhookEndpointEvents = {
  /** Fires when you send a test event to an endpoint from the dashboard. The event carries only the id of the endpoint. */
  "webhook_endpoint.test": () =>
    stating(eventData(guess(WebhookEndpoint())), carries("id"), ({ object }) =>
      Object.keys(recordOf(object)).length > 1
        ? [driftIssue(["object"], "expected only the id of the endpoint")]
        : [],
    ),
};

/** Event delivery events, by type. */
export const EventEvents = {
  /**
   * Fires when a webhook endpoint is dead-lettered.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "event.delivery_failed": () => eventData(guess(open({}))),
};
