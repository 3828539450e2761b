import * as z from "zod";
import { isRecord, parseJson } from "@fieldmesh/core";
import { isEventParseError } from "@fieldmesh/webhook-types/parse";
import { isJson } from "../is-json.ts";
import { jsonResponse, textResponse } from "../responses.ts";
import type { Handler } from "../serve.ts";
import type { Webhooks } from "./webhooks.ts";

const PREFIX = "/webhooks";
/** More would keep the sandbox busy for minutes with one event. */
const MOST_DUPLICATES = 1_000;

/** Handles a request. It receives the body, and the part of the path that names one thing. */
type Action = (webhooks: Webhooks, body: Body, id: string) => Promise<Response> | Response;

const endpointBody = z.strictObject({
  url: z.string(),
  enabled_events: z.array(z.string()).optional(),
  livemode: z.boolean().optional(),
  secret: z.string().optional(),
});
const count = z.int().min(0).optional();
const disturbBody = z.strictObject({
  duplicates: z.int().min(0).max(MOST_DUPLICATES).optional(),
  disorder: count,
  delay: count,
  lostResponses: count,
});

interface Body {
  readonly [field: string]: unknown;
}

/**
 * The controls of the webhooks over HTTP, for programs in other languages and the command line.
 *
 * The service itself has no such paths: its endpoints are registered by hand.
 */
const actions: Readonly<Record<string, Action>> = {
  "POST /endpoints": (webhooks, body) => {
    const { id, url, enabled_events, livemode, secrets } = webhooks.register(
      check(endpointBody, body),
    );
    // The only time that it is shown, like in the service.
    const response = { id, url, enabled_events, livemode, secret: secrets[0]?.reveal() };
    return jsonResponse(response, { status: 201 });
  },
  "GET /endpoints": ({ endpoints }) =>
    jsonResponse(
      endpoints.map(({ id, url, enabled_events, livemode }) => ({
        id,
        url,
        enabled_events,
        livemode,
      })),
    ),
  "DELETE /endpoints/:id": (webhooks, _body, id) => {
    webhooks.unregister(id);
    return new Response(null, { status: 204 });
  },
  "POST /trigger": async (webhooks, { type, ...overrides }) => {
    if (typeof type !== "string") throw new TypeError("Name a type, such as sim.activated.");
    const event = await webhooks.trigger(type, overrides);
    const deliveries = webhooks.deliveries().filter(({ event_id }) => event_id === event.id);
    return jsonResponse({ event, deliveries });
  },
  "GET /events": (webhooks) => jsonResponse(webhooks.events()),
  "GET /deliveries": (webhooks) => jsonResponse(webhooks.deliveries()),
  "POST /deliveries/:id/replay": async (webhooks, _body, id) =>
    jsonResponse(await webhooks.replay(id)),
  "POST /disturb": (webhooks, body) => {
    const disturbance = check(disturbBody, body);
    webhooks.disturb(disturbance);
    return jsonResponse(disturbance);
  },
};

/** Serves the controls below `/webhooks`. */
export function serveWebhooks(current: () => Webhooks): { prefix: string; handler: Handler } {
  const handler: Handler = async (request) => {
    const path = new URL(request.url).pathname.slice(PREFIX.length);
    const [, collection = "", id = "", verb = ""] = path.split("/");
    const route = [`/${collection}`, id && ":id", verb].filter(Boolean).join("/");
    const action = actions[`${request.method} ${route}`];
    if (action === undefined) return textResponse("Not Found", { status: 404 });
    // A web page cannot send this type without a preflight request, which is rejected.
    if (request.method === "POST" && !isJson(request))
      return textResponse("Send content-type: application/json", { status: 415 });
    try {
      const body = request.method === "POST" ? await readBody(request) : {};
      return await action(current(), body, id);
    } catch (error) {
      if (!(error instanceof TypeError) && !isEventParseError(error)) throw error;
      return textResponse(error.message, { status: 400 });
    }
  };
  return { prefix: PREFIX, handler };
}

/** Names what does not fit, and never its value. */
function check<Value>(schema: z.ZodType<Value>, body: Body): Value {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const [issue] = error.issues;
  const keys = issue?.code === "unrecognized_keys" ? issue.keys : (issue?.path ?? []);
  throw new TypeError(`This does not fit: ${keys.join(".")}.`);
}

async function readBody(request: Request): Promise<Body> {
  const text = await request.text();
  let value: unknown;
  try {
    value = text === "" ? {} : parseJson(text);
  } catch {
    throw new TypeError("The body is not JSON.");
  }
  if (!isRecord(value)) throw new TypeError("The body must be a JSON object.");
  return value;
}
