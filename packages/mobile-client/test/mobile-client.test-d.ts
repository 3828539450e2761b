import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  createMobileClient,
  type Renewal,
  type StoredEvent,
  type Subscriber,
} from "../src/index.js";

const client = createMobileClient({ baseUrl: "https://mobile.test", apiKey: "sk_sandbox_x" });

test("methods read like sentences", () => {
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

test("only mutating calls take an idempotency key", () => {
  void (() => client.subscribers.create({ email: "", name: "" }, { idempotencyKey: "x" }));
  // @ts-expect-error a read needs none
  void (() => client.subscribers.get({ id: "" }, { idempotencyKey: "x" }));
});
