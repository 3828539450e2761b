import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT_CONTEXT, type Attributes } from "@opentelemetry/api";
import * as core from "@opentelemetry/core";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createSandbox } from "@fieldmesh/sandbox";
import { signedRequest } from "@fieldmesh/webhook-types";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { traceFieldmesh } from "../src/index.ts";
import { suppressTracing } from "../src/bind-channel.ts";
import { startSdk } from "./sdk.ts";

const sdk = startSdk();
afterAll(() => sdk.stop());

/** Returns the values of the exports of the conventions with this prefix. */
const byKind = (prefix: string): Set<unknown> =>
  new Set(
    Object.entries(conventions)
      .filter(([name]) => name.startsWith(prefix))
      .map(([, value]) => value),
  );

// Creates each kind of span, with and without an error.
beforeAll(async () => {
  const stop = traceFieldmesh();
  const sandbox = createSandbox({ faults: [{ on: "labels.list", kind: "status", status: 503 }] });
  const { baseUrl, fetch } = sandbox.console;
  const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey });
  await client.labels.list();
  await client.labels.get({ label_id: crypto.randomUUID() }).catch(String);
  await client.devices.deleteMany([{ id: crypto.randomUUID() }]).report();
  await createLedgerClient(sandbox.ledger).blocks.list().page();
  const secret = canaries.webhookSecret;
  const quiet = { onError: () => {}, onOutcome: () => {}, store: memoryStore(), secret };
  const receive = createReceiver({ ...quiet, handlers: { "*": () => Promise.reject(Error("x")) } });
  const event = sampleEvent("sim.activated");
  for (const signed of [secret, `whsec_${btoa("another secret of some length")}`])
    await receive(await signedRequest(event, { url: "http://127.0.0.1/", secret: signed }));
  stop();
});

test("every attribute is a name of the conventions or of fieldmesh", async () => {
  const points = (await sdk.metrics()).flatMap(({ dataPoints }): { attributes: Attributes }[] => [
    ...dataPoints,
  ]);
  const all = [...sdk.spans(), ...points].flatMap(({ attributes }) => Object.keys(attributes));
  const names = new Set(all);
  expect([...names].filter((name) => name.startsWith("fieldmesh.")).sort()).toEqual([
    "fieldmesh.call",
    "fieldmesh.call.attempts",
    "fieldmesh.call.id",
    "fieldmesh.call.outcome",
    "fieldmesh.chunk.size",
    "fieldmesh.chunk.step",
    "fieldmesh.delivery.outcome",
    "fieldmesh.delivery.reason",
    "fieldmesh.event.type",
    "fieldmesh.page.items",
    "fieldmesh.response.bytes",
    "fieldmesh.store.operation",
  ]);
  const others = [...names].filter((name) => !name.startsWith("fieldmesh."));
  expect(others.length).toBeGreaterThan(10);
  const known = byKind("ATTR_");
  expect(others.filter((name) => !known.has(name))).toEqual([]);
  // The conventions require these of a client, but they may contain a key.
  expect(others.filter((name) => /^url\.(full|original|path|query)$/.test(name))).toEqual([]);
});

test("every metric is a metric of the conventions", async () => {
  const names = (await sdk.metrics()).map(({ descriptor }) => descriptor.name);
  expect(new Set(names).size).toBe(3);
  const known = byKind("METRIC_");
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test("suppressTracing suppresses tracing for the SDK", () => {
  expect(core.isTracingSuppressed(ROOT_CONTEXT)).toBe(false);
  expect(core.isTracingSuppressed(suppressTracing(ROOT_CONTEXT))).toBe(true);
});
