import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterEach, expect, test, vi } from "vitest";
import { UsageError } from "../command-error.ts";
import { makeEvent } from "./make-event.ts";

afterEach(() => void vi.useRealTimers());

test("an event of a known type is the sample with new ids and the current time", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T08:30:00Z") });
  const { id, created_at, idempotency_key, ...rest } = makeEvent("sim.activated", {}) as ReturnType<
    typeof sampleEvent
  >;
  const {
    id: _id,
    created_at: _at,
    idempotency_key: _key,
    ...sample
  } = sampleEvent("sim.activated");
  expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(idempotency_key).toMatch(/^idem_[0-9a-f]{32}$/);
  expect(created_at).toBe("2026-11-20T08:30:00.000Z");
  expect(rest).toEqual(sample);
});

test("an event of an unknown type has an envelope, and only the given data", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T08:30:00Z") });
  const envelope = {
    livemode: false,
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
    created_at: "2026-11-20T08:30:00.000Z",
    idempotency_key: expect.stringMatching(/^idem_[0-9a-f]{32}$/) as string,
    type: "sim.teleported",
  };
  expect(makeEvent("sim.teleported", {})).toEqual({ ...envelope, data: { object: {} } });
  expect(makeEvent("sim.teleported", { data: { count: 1 } })).toEqual({
    ...envelope,
    data: { object: {}, count: 1 },
  });
  expect(makeEvent("sim.teleported", { data: { object: { id: "sim_1" } } })).toEqual({
    ...envelope,
    data: { object: { id: "sim_1" } },
  });
});

test("data that does not match the type is rejected with the field, and without its value", () => {
  const making = () => makeEvent("sim.activated", { data: { object: "canary" } });
  expect(making).toThrow(UsageError);
  expect(making).toThrow(/^--data does not match the type: .*object/);
  expect(making).not.toThrow("canary");
});
