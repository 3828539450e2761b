import { Secret } from "@fieldmesh/core";
import { expect, test } from "vitest";
import { splitObject } from "./split-object.ts";

function split(type: string, object: object, stored: readonly string[] = []) {
  const { revealed: _, ...parts } = splitObject(type, object as never, new Set(stored));
  return parts;
}

test("a personal field is stored under its path if it is named, and otherwise leaves a part", () => {
  const object = { id: "sim_1", msisdn: "5551234" };
  expect(split("sim.restored", object, ["sim.msisdn"])).toEqual({
    state: { id: "sim_1" },
    personal: { msisdn: "5551234" },
    isPart: false,
  });
  const hidden = { state: { id: "sim_1" }, personal: {}, isPart: true };
  expect(split("sim.restored", object)).toEqual(hidden);
  // The name of another family's field.
  expect(split("sim.restored", object, ["subscriber.phone"])).toEqual(hidden);
  const nothing = { id: "sim_1", msisdn: null };
  expect(split("sim.restored", nothing, ["sim.msisdn"])).toEqual(hidden);
});

test("what an event type hides is hidden at its first level only", () => {
  const { state } = split("sms.received", { id: "sms_1", text: "hello" });
  expect(state).toEqual({ id: "sms_1" });
  // `name` is not declared, and lies deeper.
  const nested = { id: "sim_1", metadata: { name: "gate" } };
  expect(split("sim.port_out_pin_generated", nested).state).toEqual(nested);
});

test.each([
  ["a Secret", { code: new Secret("4711") }],
  ["a signed link", { document_url: "https://files.test/?sig=1" }],
  ["a PIN", { pin: "4711" }],
  ["a PIN in a longer name", { port_out_pin: "4711" }],
  ["a PIN that begins a name", { PIN_code: "4711" }],
])("%s is never stored, not even of fields that are named", (_, member) => {
  expect(split("sim.restored", { id: "sim_1", ...member })).toEqual({
    state: { id: "sim_1" },
    personal: {},
    isPart: true,
  });
  expect(
    split("sms.received", { id: "sms_1", all: [member, { list: [member] }] }, ["sms.*"]),
  ).toEqual({ state: { id: "sms_1" }, personal: { all: [{}, { list: [{}] }] }, isPart: false });
});

test("a name that is personal in one family is personal in all, at any depth", () => {
  const object = { id: "plan_1", contact: { email: "a@b.test", name: "Ada" }, phone: "5551234" };
  expect(split("plan.updated", object)).toEqual({
    state: { id: "plan_1", contact: { name: "Ada" } },
    personal: {},
    isPart: true,
  });
});

test("a reason is personal only in the families that say so", () => {
  expect(split("cpni.escalation.requested", { id: "a", reason: "lost" }).state).toEqual({
    id: "a",
  });
  const object = { id: "sim_1", reason: "not_paid" };
  expect(split("sim.suspended", object)).toEqual({ state: object, personal: {}, isPart: false });
});

test("a Secret in a list becomes null, and its neighbours stay", () => {
  const list = ["a", new Secret("4711"), ["b", new Secret("4712")]];
  const kept = ["a", null, ["b", null]];
  expect(split("sim.restored", { id: "sim_1", list }).state).toEqual({ id: "sim_1", list: kept });
  expect(split("sms.received", { id: "sms_1", list }, ["sms.*"]).personal).toEqual({ list: kept });
});
