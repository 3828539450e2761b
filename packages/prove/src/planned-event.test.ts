import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { expect, test } from "vitest";
import { idOf, toEvent } from "./planned-event.ts";

const types = ["sim.activated", "usage.tier_changed"] as const;

test("an event has the type, object and second of its plan", () => {
  const event = toEvent(types, [0, 1, 3]);
  expect(event).toMatchObject({
    id: "evt_sim.activated_1_3",
    type: "sim.activated",
    created_at: "2025-12-31T23:59:03.000Z",
    data: { object: { id: "object_1" } },
  });
  expect(idOf(types, [0, 1, 3])).toBe(event.id);
  expect(Object.keys(event.data["object"] as object).length).toBeGreaterThan(1);
  expect(toEvent(types, [0, 1, 3])).toEqual(event);
});

test("the index after the last type makes an event of a type that nobody knows, with the object of a SIM", () => {
  const event = toEvent(types, [2, 0, 0]);
  expect(event).toMatchObject({
    id: "evt_sim.prove_happened_0_0",
    type: "sim.prove_happened",
    created_at: "2025-12-31T23:59:00.000Z",
    data: { object: { id: "object_0" } },
  });
  expect(event.data).toEqual(toEvent(types, [0, 0, 0]).data);
});

test("unknown types have the families of the known ones, and one of a family is one event", () => {
  const all = ["sim.activated", "sim.suspended", "cpni.verification.requested"] as const;
  const unknown = [3, 4, 5, 9].map((index) => toEvent(all, [index, 0, 1]));
  expect(unknown.map(({ type }) => type)).toEqual([
    "sim.prove_happened",
    "sim.prove_happened",
    "cpni.prove_happened",
    "sim.prove_happened",
  ]);
  expect(unknown[1]).toEqual(unknown[0]);
});

test("two events may differ in their id alone, and a date may be wrong", () => {
  const [event, other] = [toEvent(types, [0, 0, 2]), toEvent(types, [0, 0, 2, 1])];
  expect(other).toEqual({ ...event, id: "evt_sim.activated_0_2_1" });
  expect(toEvent(types, [0, 0, 100_000_000]).created_at).toBe("2029-03-03T09:45:40.000Z");
  expect(toEvent(types, [0, 0, "unreadable"])).toMatchObject({
    id: "evt_sim.activated_0_unreadable",
    created_at: "no date",
  });
});

test("the object of an event has an id only if the service writes one", () => {
  const event = toEvent(types, [1, 1, 0]);
  expect(event.data).toEqual(sampleEvent("usage.tier_changed").data);
  expect(event.data["object"]).not.toHaveProperty("id");
});
