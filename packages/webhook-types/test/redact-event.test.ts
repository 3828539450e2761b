import { expect, test } from "vitest";
import * as z from "zod";
import { stringifyJson } from "@fieldmesh/core";
import { eventTypes } from "../src/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { dataShapeOf } from "../src/parse/event-schema.ts";
import { parseEvent, redactEvent } from "../src/parse/index.ts";

const envelope = { id: "evt_1", created_at: "2026-11-20T08:00:00Z", livemode: true };
const shown = (type: string, data: unknown): unknown =>
  (redactEvent({ ...envelope, type, data, idempotency_key: "key_1" } as never) as { data: unknown })
    .data;

const wireOf = (type: (typeof eventTypes)[number]): Record<string, unknown> =>
  JSON.parse(stringifyJson(sampleEvent(type), { reveal: true })) as Record<string, unknown>;

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

test("redaction hides every secret and all personal data that the spec names", () => {
  const line = { line1: "12 Harbour Street" };
  const hidden: [(typeof eventTypes)[number], string, object?][] = [
    ["cpni.verification.requested", "493817"],
    ["cpni.verification.requested", "grace@support.example.com"],
    ["cpni.verification.succeeded", "joan@support.example.com"],
    ["cpni.escalation.requested", "lost the phone"],
    ["sim.activated", "LPA:1"],
    ["sim.activated", "+12025550143"],
    ["sim.cleared", "+12025550143"],
    ["sim.port_out_pin_generated", "+12025550143"],
    ["sim.linked", "ada@example.com", { external_subscriber_id: "ada@example.com" }],
    ["sms.received", "STOP", { text: "STOP" }],
    ["fraud.evaluated", "ada@example.com"],
    ["fraud.evaluated", "+12025550143"],
    ["psim_order.paid", "Harbour"],
    ["psim_order.paid", "ada@example.com"],
    ["address.updated", "Harbour", line],
    ["plan.updated", "Harbour", { contact: { name: "Ada", address: line } }],
    ["payment_method.attached", "4242"],
    ["port.resolution_required", "does not match"],
    ["dispute.opened", "Ada Lovelace", { reason: "Ada Lovelace did not order" }],
    ["invoice.finalized", "billing.example.com"],
    ["invoice.document_ready", ".pdf"],
  ];
  for (const [type, text, object = {}] of hidden) {
    const event = sampleEvent(type, { data: { object } } as never);
    expect(stringifyJson(event, { reveal: true })).toContain(text);
    expect(stringifyJson(redactEvent(event), { reveal: true })).not.toContain(text);
  }
});

test("redaction shows only declared fields that are neither secret nor personal", () => {
  const event = parseEvent({
    ...wireOf("sim.synced"),
    note: "Ada",
    data: {
      ...(wireOf("sim.synced")["data"] as object),
      full_name: "Ada Lovelace",
      "ada@example.com": true,
      object: { id: "sim_1", state: "active", nickname: "Ada", metadata: { owner: "Ada" } },
    },
  });
  expect(redactEvent(event)).toEqual({
    ...wireOf("sim.synced"),
    data: { object: { id: "sim_1", state: "active", metadata: {} } },
  });
});

test("redaction hides the value of an envelope field that does not match the spec", () => {
  const odd = { created_at: { by: "Ada" }, livemode: "Ada", idempotency_key: ["Ada"] };
  const event = parseEvent({ ...wireOf("plan.created"), ...odd }, { validation: "off" });
  expect(JSON.stringify(redactEvent(event))).not.toContain("Ada");
});

test("redaction shows only the envelope of an unknown type, and of a payload that is not an object", () => {
  const own = { ...wireOf("sim.synced"), type: "sim.renamed" };
  const unknown = parseEvent({ ...own, data: { object: { label: "Ada" } } });
  expect(redactEvent(unknown)).toEqual({ ...own, data: "[redacted]" });
  const none = { ...wireOf("sim.synced"), data: "Ada" } as never;
  expect(redactEvent(none)).toMatchObject({ id: "evt_01JD3Y6M2P5VX8", data: "[redacted]" });
});
