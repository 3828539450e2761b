import * as z from "zod/mini";
import { sensitiveFields } from "@fieldmesh/core/internal/schema";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import { secretFields } from "@fieldmesh/webhook-types/internal";
import { eventSchema } from "@fieldmesh/webhook-types/parse";
import { expect, test } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import { deliveredCopy, storedCopy, type StoredEvent, wireData } from "./event-copies.ts";

const SECRET = "canary";

test.each(eventTypes.filter((type) => secretsOf(type).length > 0))(
  "%s loses the secrets of its schema in its stored copy, at any depth",
  async (type) => {
    const { webhooks } = createSandbox();
    const object = Object.fromEntries(secretsOf(type).map((name) => [name, SECRET]));
    const data = { object: { ...object, list: [object] }, previous_attributes: object };
    const stored = await webhooks.trigger(type, { data } as object);
    expect(JSON.stringify([stored, webhooks.events()])).not.toContain(SECRET);
  },
);

test.each(eventTypes.filter((type) => secretsOf(type).includes("activation_code")))(
  "%s has its activation code only for an endpoint that names the type",
  (type) => {
    const event = { type, data: { object: { activation_code: SECRET } } } as object as StoredEvent;
    const family = `${type.split(".")[0]}.*`;
    for (const named of [[type], [family], ["*", type]])
      expect(JSON.stringify(deliveredCopy(event, named))).toContain(SECRET);
    expect(JSON.stringify(deliveredCopy(event, ["*"]))).not.toContain(SECRET);
  },
);

test("a subscriber has earlier values only if the event has some", () => {
  const object = { id: "sub_1", email: "ada@example.com" };
  const redacted = { email: null, phone: null, date_of_birth: null, pii_redacted: true };
  expect(wireData("subscriber.updated", { object })).toEqual({
    object: { id: "sub_1", ...redacted },
  });
  expect(
    wireData("subscriber.updated", { object, previous_attributes: { email: "a@b.c" } }),
  ).toEqual({
    object: { id: "sub_1", ...redacted },
    previous_attributes: { email: null },
  });
});

test("an event without secrets is stored as it is", () => {
  const event = { type: "plan.created", data: { object: { code: "A" } } } as object as StoredEvent;
  expect(storedCopy(event)).toBe(event);
});

test("secretFields lists the secrets of every schema", () => {
  const bySchema = eventTypes.map((type) => [type, secretsOf(type).sort()] as const);
  expect(secretFields).toEqual(
    Object.fromEntries(bySchema.filter(([, names]) => names.length > 0)),
  );
});

/** Reads the names of secret fields from the JSON Schema of a type. */
function secretsOf(type: EventType): string[] {
  const names = new Set<string>();
  z.toJSONSchema(eventSchema(type), {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, path }) => {
      if (sensitiveFields.get(zodSchema)?.sensitivity === "secret") names.add(nameIn(path));
    },
  });
  return [...names];
}

/** A path ends with what wraps the field: `…, "properties", "code", "anyOf", 0`. */
function nameIn(path: readonly (string | number)[]): string {
  return String(path[path.lastIndexOf("properties") + 1]);
}
