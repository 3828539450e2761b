import { earlierEventTypes, eventTypes } from "@fieldmesh/webhook-types";
import { expect, test } from "vitest";
import { formOf, listEventTypes } from "./event-types.ts";

test("every type is listed once, and those of the older catalog only are marked", () => {
  const types = listEventTypes();
  expect(types.map(({ type }) => type)).toEqual(eventTypes);
  const earlier = types.filter((each) => each.earlier).map(({ type }) => type);
  expect(earlier.toSorted()).toEqual([...earlierEventTypes].toSorted());
  expect(earlier.length).toBeGreaterThan(0);
});

test("the form of a type has the schema of its data, and a sample with all values", () => {
  const { type, schema, data } = formOf("cpni.verification.requested");
  expect(type).toBe("cpni.verification.requested");
  expect(schema).toMatchObject({
    type: "object",
    properties: { object: { type: "object", properties: { code: { type: "string" } } } },
    required: ["object"],
  });
  // The sample is what a receiver gets: a code, and no mark in place of it.
  expect(data).toMatchObject({ object: { code: expect.stringMatching(/^\d+$/) } });
});

test.each(["sim.unknown", "", "__proto__", "SIM.activated"])(
  "an unknown type has no form: %s",
  (type) => {
    expect(() => formOf(type)).toThrow(new TypeError("There is no such event type."));
  },
);
