import { mistake, shownAddresses, stringifyJson } from "@fieldmesh/core/internal";
import { createSecretCheck, hideNamed, scrub } from "@fieldmesh/core/internal/schema";
import { explain } from "@fieldmesh/webhook-types/explain";
import { redactEvent } from "@fieldmesh/webhook-types/parse";
import { type DeliveryRecord, detailsOf } from "../webhooks/delivery.ts";
import type { WebhookService } from "../webhooks/create-webhooks.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import { shownUrl } from "../webhooks/shown-url.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { parseBody, viewHeaders } from "./request-details.ts";
import type { AttemptView, DeliveryView, SentRequest } from "./wire.ts";

interface Viewed {
  readonly webhooks: Webhooks;
  readonly sentBody: WebhookService["sentBody"];
}

/** Returns the event of a delivery, and what each attempt sent and received. Throws a TypeError for an unknown delivery. */
export async function viewDelivery(
  viewed: Viewed,
  id: string,
): Promise<Omit<DeliveryView, "records">> {
  const { webhooks } = viewed;
  const delivery = findDelivery(webhooks, id);
  const event = findEvent(webhooks, delivery.event_id);
  const secrets = webhooks.endpoints.flatMap((endpoint) => endpoint.secrets);
  const isSecret = createSecretCheck(secrets.map((secret) => secret.reveal()));
  const attempts = delivery.attempts.map((attempt) => {
    const { url, headers, response } = detailsOf(attempt) ?? {};
    return {
      url: url && shownUrl(url),
      headers: viewHeaders(headers ?? {}),
      response: scrub(viewResponse(response), isSecret) as AttemptView["response"],
    };
  });
  return {
    event: event === undefined ? null : redactEvent(event),
    attempts,
    signature: await explainSignature(viewed, delivery),
  };
}

/** Hides what a receiver of the user sends back by its names, as in a request. */
function viewResponse(response: AttemptView["response"]): AttemptView["response"] {
  if (response?.body === undefined)
    return response && { ...response, headers: viewHeaders(response.headers) };
  const parsed = parseBody(response.body);
  const shown = "json" in parsed ? hideNamed(undefined, parsed.json) : undefined;
  const isShown = "text" in parsed || shown === parsed.json;
  const body = isShown ? shownAddresses(response.body) : stringifyJson(shown);
  return { headers: viewHeaders(response.headers), body };
}

/** Returns an attempt of a delivery as it was sent, with all codes. `attempt` counts from 1. */
export function sentAttempt(
  { webhooks, sentBody }: Viewed,
  id: string,
  attempt: number,
): SentRequest & { readonly body: string } {
  const record = findDelivery(webhooks, id).attempts[attempt - 1];
  const details = record && detailsOf(record);
  if (details === undefined) throw mistake("What this attempt has sent was not kept.");
  const { url, headers, enabledEvents } = details;
  return { method: "POST", url, headers, body: sentBody(id, enabledEvents) ?? "" };
}

/** Explains the signature of the last attempt by the secrets that its endpoint has now. */
async function explainSignature(
  viewed: Viewed,
  { id, endpoint_id, attempts }: DeliveryRecord,
): Promise<string | undefined> {
  const last = attempts.at(-1);
  const endpoint = viewed.webhooks.endpoints.find((each) => each.id === endpoint_id);
  if (last === undefined || detailsOf(last) === undefined) return undefined;
  if (endpoint === undefined)
    return "The endpoint was removed, so that its secret is not known any more.";
  const { body, headers } = sentAttempt(viewed, id, attempts.length);
  const explanation = await explain(
    // The age is another question: a receiver checks it when it receives the delivery.
    { secrets: endpoint.secrets, now: () => last.at },
    { body, headers },
  );
  if (!explanation.isVerified) return explanation.causes.map(({ message }) => message).join(" ");
  return "The signature matches the secret of this endpoint. If your receiver rejects it, compare its secret, check that it verifies the raw body, and check its clock.";
}

/** Returns the stored event of a delivery, which has no codes. Throws a TypeError for an unknown delivery. */
export function eventOf(webhooks: Webhooks, id: string): StoredEvent | undefined {
  return findEvent(webhooks, findDelivery(webhooks, id).event_id);
}

/** Returns a stored event by its id. */
export function findEvent(webhooks: Webhooks, id: string): StoredEvent | undefined {
  return webhooks.events().find((each) => each.id === id);
}

function findDelivery(webhooks: Webhooks, id: string): DeliveryRecord {
  const delivery = webhooks.deliveries().find((each) => each.id === id);
  if (delivery === undefined) throw mistake("There is no such delivery.");
  return delivery;
}
