import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import type {
  Secret,
  StoredEventMap,
  StoredWebhookEvent,
  UnknownEvent,
  WebhookEvent,
} from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import {
  catchUp,
  createMobileClient,
  type Renewal,
  type StoredEvent,
  type Subscriber,
} from "../src/index.ts";

const client = createMobileClient({ baseUrl: "https://mobile.test", apiKey: "sk_sandbox_x" });

test("methods resolve to their records", () => {
  expectTypeOf(client.subscribers.get({ id: "" })).resolves.toEqualTypeOf<Subscriber>();
  expectTypeOf(client.subscriptions.renewal({ id: "" })).resolves.toEqualTypeOf<Renewal>();
  expectTypeOf(client.events.list().toArray({ limit: 1 })).resolves.toEqualTypeOf<StoredEvent[]>();
  expectTypeOf(client.mode).toEqualTypeOf<"sandbox" | "live" | undefined>();
});

test("a schema types a record that the spec leaves open", () => {
  const schema = z.object({ amount_cents: z.int() });
  expectTypeOf(client.subscriptions.renewal({ id: "" }, { schema })).resolves.toEqualTypeOf<{
    amount_cents: number;
  }>();
});

test("only mutating calls accept an idempotency key", () => {
  void (() => client.subscribers.create({ email: "", name: "" }, { idempotencyKey: "x" }));
  // @ts-expect-error a read has no idempotency key
  void (() => client.subscribers.get({ id: "" }, { idempotencyKey: "x" }));
});

test("catchUp accepts the router of a receiver, and a router typed for stored events", () => {
  const common = { client, since: new Date(0), store: memoryStore() };
  const both = createEventRouter({
    "cpni.verification.requested": ({ data: { object } }) =>
      expectTypeOf(object.code).toEqualTypeOf<Secret | undefined>(),
  });
  const stored = createEventRouter<StoredEventMap>({
    "cpni.verification.requested": ({ data: { object } }) =>
      expectTypeOf(object.code).toEqualTypeOf<undefined>(),
    "sim.activated": ({ data: { object } }) =>
      expectTypeOf(object.activation_code).toEqualTypeOf<undefined>(),
    "psim_order.*": ({ data: { object } }) => {
      expectTypeOf(object.shipping_address).toEqualTypeOf<null | undefined>();
      expectTypeOf(object.email).toEqualTypeOf<null | undefined>();
    },
    "subscriber.*": ({ data: { object } }) => expectTypeOf(object.email).toEqualTypeOf<null>(),
  });
  void (() => catchUp({ ...common, router: both }));
  void (() => catchUp({ ...common, router: stored }));
  createEventRouter<StoredEventMap>({
    // @ts-expect-error a stored event has no code to reveal
    "cpni.verification.requested": ({ data }) => data.object.code.reveal(),
  });
});

test("a stored event is assignable to its webhook event, and not the reverse", () => {
  expectTypeOf(parseEvent("", { source: "store" })).toEqualTypeOf<
    StoredWebhookEvent | UnknownEvent
  >();
  expectTypeOf(parseEvent("")).toEqualTypeOf<WebhookEvent | UnknownEvent>();
  expectTypeOf<StoredWebhookEvent>().toExtend<WebhookEvent>();
  type Requested = "cpni.verification.requested";
  expectTypeOf<WebhookEvent<Requested>>().not.toExtend<StoredWebhookEvent<Requested>>();
  expectTypeOf<WebhookEvent<"psim_order.*">>().not.toExtend<StoredWebhookEvent<"psim_order.*">>();
  expectTypeOf<WebhookEvent<"sim.swapped">>().not.toExtend<StoredWebhookEvent<"sim.swapped">>();
});
