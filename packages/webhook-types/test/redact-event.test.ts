import { expect, test } from "vitest";
import * as z from "zod";
import { eventTypes } from "../src/index.ts";
import { dataShapeOf } from "../src/parse/event-schema.ts";
import { redactEvent } from "../src/parse/index.ts";

const envelope = { id: "evt_1", created_at: "2026-11-20T08:00:00Z", livemode: true };
const shown = (type: string, data: unknown): unknown =>
  (redactEvent({ ...envelope, type, data, idempotency_key: "key_1" } as never) as { data: unknown })
    .data;

test("no field appears that the event does not have, and null stays null", () => {
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

test("a personal record is hidden as a whole, its earlier values too", () => {
  const message = { id: "sms_1", from: "+15550100", text: "Ada" };
  for (const type of ["sms.received", "address.updated"])
    expect(shown(type, { object: message, previous_attributes: message })).toEqual({
      object: "[redacted]",
      previous_attributes: "[redacted]",
    });
});

test.each(eventTypes)("what %s declares of earlier values are fields of its record", (type) => {
  const { object, previous_attributes: previous } = dataShapeOf(type) ?? expect.fail();
  const fields = z.toJSONSchema(object, { unrepresentable: "any" }).properties ?? {};
  const before = z.toJSONSchema(previous!, { unrepresentable: "any" }).properties ?? {};
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(before)));
});

test("earlier values are shown by the fields of the record", () => {
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

test("a list of anything, and what may be anything, is hidden item by item", () => {
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

test.each([undefined, null, "evt_1", []])("%o is no event, says redactEvent", (value) => {
  expect(() => redactEvent(value as never)).toThrow(TypeError);
  expect(() => redactEvent(value as never)).toThrow("redactEvent requires an event");
});

test("an event that cannot be read is a TypeError that shows nothing of it", () => {
  const event = {
    ...envelope,
    type: "sim.activated",
    get data(): never {
      throw new TypeError("Ada");
    },
  };
  expect(() => redactEvent(event as never)).toThrow(/^The argument of redactEvent cannot be read/);
});
