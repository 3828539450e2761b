import { expect, test } from "vitest";
import * as z from "zod";
import { eventTypes } from "../src/index.ts";
import { dataShapeOf } from "../src/parse/event-schema.ts";
import { redactEvent } from "../src/parse/index.ts";

const envelope = { id: "evt_1", created_at: "2026-11-20T08:00:00Z", livemode: true };
const shown = (type: string, data: unknown): unknown =>
  (redactEvent({ ...envelope, type, data, idempotency_key: "key_1" } as never) as { data: unknown })
    .data;

test("redactEvent adds no field to the event, and keeps null", () => {
  expect(
    shown("sim.activated", { object: { id: "sim_1", state: null, msisdn: null } }),
  ).toStrictEqual({
    object: { id: "sim_1", state: null, msisdn: null },
  });
  expect(shown("sim.activated", { object: null })).toStrictEqual({ object: null });
  expect(shown("sim.activated", {})).toStrictEqual({});
  const event = { ...envelope, type: "sim.activated", data: {}, idempotency_key: undefined };
  expect(redactEvent(event as never)).toStrictEqual(event);
});

test("a personal record is hidden completely, including its earlier values", () => {
  const message = { id: "sms_1", from: "+15550100", text: "Ada" };
  for (const type of ["sms.received", "address.updated"])
    expect(shown(type, { object: message, previous_attributes: message })).toEqual({
      object: "[redacted]",
      previous_attributes: "[redacted]",
    });
});

test.each(eventTypes)("the declared earlier values of %s are fields of its record", (type) => {
  const { object, previous_attributes: previous } = dataShapeOf(type) ?? expect.fail();
  const fields = z.toJSONSchema(object, { unrepresentable: "any" }).properties ?? {};
  const before = z.toJSONSchema(previous!, { unrepresentable: "any" }).properties ?? {};
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(before)));
});

test("earlier values are shown or hidden by the rules for the fields of the record", () => {
  expect(
    shown("sim.activated", {
      object: { id: "sim_1" },
      previous_attributes: { state: "inactive", msisdn: "+15550100", more: "Ada" },
    }),
  ).toStrictEqual({
    object: { id: "sim_1" },
    previous_attributes: { state: "inactive", msisdn: "[redacted]" },
  });
  expect(shown("sim.activated", { object: {}, previous_attributes: "Ada" })).toEqual({
    object: {},
    previous_attributes: "[redacted]",
  });
});

test("values of undeclared types are hidden item by item", () => {
  expect(
    shown("fraud.evaluated", {
      object: { id: "frd_1", reasons: ["Ada", { name: "Ada" }, null] },
      reasons: "Ada",
      subject: { email: "ada@example.com" },
      score: 7,
    }),
  ).toEqual({
    object: { id: "frd_1", reasons: ["[redacted]", "[redacted]", null] },
    reasons: "[redacted]",
    subject: "[redacted]",
    score: 7,
  });
  expect(shown("sim.activated", { object: { wps: { owner: "Ada" } } })).toEqual({
    object: { wps: "[redacted]" },
  });
});

test.each([undefined, null, "evt_1", []])(
  "redactEvent rejects %o, which is not an event",
  (value) => {
    expect(() => redactEvent(value as never)).toThrow(TypeError);
    expect(() => redactEvent(value as never)).toThrow("redactEvent requires an event");
  },
);

test("redactEvent rejects an unreadable event with a TypeError that shows none of its values", () => {
  const event = {
    ...envelope,
    type: "sim.activated",
    get data(): never {
      throw new TypeError("Ada");
    },
  };
  expect(() => redactEvent(event as never)).toThrow(/^The argument of redactEvent cannot be read/);
});
