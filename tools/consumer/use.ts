// A program of a user. It is copied next to the installed tarballs, compiled as ESM and as CommonJS, and run.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createConsoleClient,
  isApiError,
  type ConsoleClient,
  type Label,
} from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import {
  createVerifier,
  isKnownEvent,
  sign,
  WebhookVerificationError,
  type WebhookEvent,
} from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { createEventRouter } from "@fieldmesh/webhook-types/router";

const ADDRESS = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
const known: Label = { id: "2e0c3a52-6c2b-4d0e-9a55-0f6c1f1d7a10", name: "pumps" };

async function main(): Promise<void> {
  await callsTheConsole();
  await receivesAnEvent();
}

async function callsTheConsole(): Promise<void> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url !== "/api/v1/labels") response.statusCode = 404;
    response.end(JSON.stringify([known]));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client: ConsoleClient = createConsoleClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: "an-api-key-of-nobody",
  });

  const labels: Label[] = await client.labels.list();
  const missing: unknown = await client.labels
    .get({ label_id: "2e0c3a52-6c2b-4d0e-9a55-0f6c1f1d7a11" })
    .catch((error: unknown) => error);
  // The code of these two is loaded here.
  const { created } = await client.devices.createMany([]);
  const ledger = createLedgerClient({ baseUrl: `http://127.0.0.1:${port}` });
  const lanes = ledger.accounts.rewards({ address: ADDRESS, min_time: "-1 day" }).parallel();
  const rejection: unknown = await lanes.next().catch((error: unknown) => error);
  server.close();

  if (created !== 0 || !isApiError(rejection)) throw new Error("code that loads later is missing");
  if (labels[0]?.name !== known.name) throw new Error("the label did not arrive");
  if (!isApiError(missing) || missing.status !== 404)
    throw new Error("the error is not an ApiError");
}

async function receivesAnEvent(): Promise<void> {
  const envelope = { id: "evt_1", created_at: "2026-11-20T08:30:00Z", livemode: false };
  const data = { object: { subscriber_id: "sub_1", activation_code: "LPA:1$canary" } };
  const body = JSON.stringify({
    ...envelope,
    type: "sim.activated",
    idempotency_key: "idem_1",
    data,
  });
  const verify = createVerifier({ secret: "whsec_test_secret_only" });
  const headers = await sign({ secret: "whsec_test_secret_only", body });
  const verified = await verify({ body, headers });
  const event = parseEvent(verified.body);

  const ran: string[] = [];
  const router = createEventRouter({
    "sim.activated": ({ data: { object } }) => ran.push(String(object.activation_code?.reveal())),
    "sim.*": (sim: WebhookEvent<"sim.*">) => ran.push(sim.type),
  });
  await router.dispatch(event);
  if (!isKnownEvent(event) || ran.join() !== "LPA:1$canary,sim.activated")
    throw new Error("the event did not reach its handlers");

  const rejected: unknown = await verify({ body: `${body} `, headers }).catch(
    (error: unknown) => error,
  );
  if (!(rejected instanceof WebhookVerificationError) || rejected.reason !== "signature_mismatch")
    throw new Error("a changed body was not rejected");
}

void main();
