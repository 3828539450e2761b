import { expect, test } from "vitest";
import type { AttemptRecord, DeliveryRecord } from "../../engine/webhooks/delivery.ts";
import { deliveryRecord, describeDelivery } from "./describe-delivery.ts";

const AT = Date.parse("2026-11-20T08:30:00Z");
const delivery: DeliveryRecord = {
  id: "del_1",
  event_id: "evt_1",
  type: "sim.activated",
  endpoint_id: "we_1",
  status: "pending",
  attempts: [],
  nextAttemptAt: AT,
};
const attempt = (given: Partial<AttemptRecord>): AttemptRecord => ({
  at: AT,
  status: 200,
  outcome: "accepted",
  duration: 4,
  ...given,
});

test.each<[string, readonly AttemptRecord[], string]>([
  ["without an attempt", [], "not sent yet"],
  ["with a response", [attempt({ status: 503, outcome: "rejected" })], "503"],
  ["without a response", [attempt({ status: undefined, outcome: "no_response" })], "no_response"],
  [
    "after several attempts",
    [attempt({ status: 500 }), attempt({ status: undefined }), attempt({ status: 410 })],
    "410",
  ],
])("a delivery %s is one line that ends with the last response", (_when, attempts, end) => {
  expect(describeDelivery({ ...delivery, attempts })).toBe(`del_1  we_1  pending  ${end}`);
});

test("the line of a delivery has no control characters", () => {
  const id = "del_\u001B[2J1" as const;
  expect(describeDelivery({ ...delivery, id })).toBe("del_[2J1  we_1  pending  not sent yet");
});

test("JSON has all fields of a delivery, with times as the service writes them", () => {
  expect(
    deliveryRecord({ ...delivery, attempts: [attempt({}), attempt({ at: AT + 30_000 })] }),
  ).toEqual({
    id: "del_1",
    event_id: "evt_1",
    type: "sim.activated",
    endpoint_id: "we_1",
    status: "pending",
    attempts: [
      { at: "2026-11-20T08:30:00.000Z", status: 200, outcome: "accepted", duration: 4 },
      { at: "2026-11-20T08:30:30.000Z", status: 200, outcome: "accepted", duration: 4 },
    ],
    next_attempt_at: "2026-11-20T08:30:00.000Z",
  });
});

test.each([
  ["no time", undefined, null],
  ["the time zero", 0, "1970-01-01T00:00:00.000Z"],
  ["a time that no date can have", 1e300, null],
  ["a time of another program", "soon" as unknown as number, null],
])("a delivery with %s has a next attempt at %s, or at none", (_what, nextAttemptAt, shown) => {
  expect(deliveryRecord({ ...delivery, nextAttemptAt }).next_attempt_at).toBe(shown);
});
