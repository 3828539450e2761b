import { mistake } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";
import { type Actions, checkBody, serveActions } from "../serve/serve-actions.ts";
import { jsonResponse } from "../serve/responses.ts";
import type { Handler } from "../serve/serve.ts";
import { shownUrl } from "./shown-url.ts";
import type { Webhooks } from "./webhooks.ts";

const PREFIX = "/webhooks";
/** More would keep the sandbox busy for minutes with one event. */
const MOST_DUPLICATES = 1_000;

const endpointBody = z.strictObject({
  url: z.string(),
  enabled_events: z.optional(z.array(z.string())),
  livemode: z.optional(z.boolean()),
  secret: z.optional(z.string()),
});
const count = z.optional(z.int().check(z.minimum(0)));
const disturbBody = z.strictObject({
  duplicates: z.optional(z.int().check(z.minimum(0), z.maximum(MOST_DUPLICATES))),
  disorder: count,
  delay: count,
  lostResponses: count,
});

/** Serves the controls below `/webhooks`, for other languages and the command line. The service itself has no such paths. */
export function serveWebhooks(current: () => Webhooks): { prefix: string; handler: Handler } {
  return { prefix: PREFIX, handler: serveActions(PREFIX, actionsOf(current)) };
}

function actionsOf(current: () => Webhooks): Actions {
  return {
    "POST /endpoints": ({ body }) => {
      const { id, url, enabled_events, livemode, secrets } = current().register(
        checkBody(endpointBody, body),
      );
      // The only time that it is shown, like in the service.
      // Stryker disable next-line OptionalChaining: An endpoint has a secret; the question mark is for the compiler.
      const response = { id, url, enabled_events, livemode, secret: secrets[0]?.reveal() };
      return jsonResponse(response, { status: 201 });
    },
    "GET /endpoints": () =>
      current().endpoints.map(({ id, url, enabled_events, livemode }) => {
        return { id, url: shownUrl(url), enabled_events, livemode };
      }),
    "DELETE /endpoints/:id": ({ id }) => current().unregister(id),
    "POST /trigger": async ({ body: { type, unknown = false, ...overrides } }) => {
      if (typeof type !== "string") throw mistake("Name a type, such as sim.activated.");
      const webhooks = current();
      // Webhooks check it.
      const event = await webhooks.trigger(type, overrides, { unknown: unknown as true });
      const deliveries = webhooks.deliveries().filter(({ event_id }) => event_id === event.id);
      return { event, deliveries };
    },
    "GET /events": () => current().events(),
    "GET /deliveries": () => current().deliveries(),
    "POST /deliveries/:id/replay": ({ id }) => current().replay(id),
    "POST /disturb": ({ body }) => {
      const disturbance = checkBody(disturbBody, body);
      current().disturb(disturbance);
      return disturbance;
    },
  };
}
