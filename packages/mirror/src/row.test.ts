import { expect, test } from "vitest";
import { readRow, rowOf } from "./row.ts";
import type { Version } from "./version.ts";

const key = { tenant: "a", family: "sim", id: "sim_1", livemode: true };
const version = (id: string, more: Partial<Version> = {}): Version => ({
  id,
  type: "sim.restored",
  time: "2026-11-20T10:00:00.000Z",
  state: { id: "sim_1", subscriber_id: "sub_2" },
  personal: null,
  previous: null,
  ...more,
});

test("the row of one version has no ties, no personal fields and no subscribers", () => {
  expect(rowOf(key, [version("evt_1")]).columns).toEqual({
    tenant: "a",
    family: "sim",
    id: "sim_1",
    livemode: "1",
    event_id: "evt_1",
    event_type: "sim.restored",
    created_at: "2026-11-20T10:00:00.000Z",
    ambiguous: "0",
    deleted_at: null,
    state: '{"id":"sim_1","subscriber_id":"sub_2"}',
    personal: null,
    previous: null,
    ties: null,
    subscribers: null,
  });
});

test("a row names each subscriber of its personal fields once, in order", () => {
  const held = version("evt_1", {
    personal: { msisdn: "5551234" },
    state: { subscriber_id: "sub_2", other_subscriber: { id: "sub_1" }, subscribers: ["sub_2"] },
  });
  const without = version("evt_2", { state: { subscriber_id: "sub_3" } });
  expect(rowOf(key, [held, without]).columns).toMatchObject({
    subscribers: '["sub_1","sub_2"]',
    ambiguous: "1",
  });
});

test.each(["subscriber.deleted", "plan.deleted", "addon.deleted"])(
  "after %s, the object is deleted at the time of the event",
  (type) => {
    expect(rowOf(key, [version("evt_1", { type })]).columns.deleted_at).toBe(
      "2026-11-20T10:00:00.000Z",
    );
  },
);

test("a row that is read back is the row that was written, with one version or with ties", () => {
  const previous = { values: { n: 1 }, isPart: true };
  const full = version("evt_1", { personal: { msisdn: "5551234" }, previous });
  for (const versions of [[full], [full, version("evt_2")]]) {
    const written = rowOf(key, versions);
    const { livemode, ambiguous, ...texts } = written.columns;
    // A query returns flags as a number or a boolean.
    for (const flags of [
      { livemode: Number(livemode), ambiguous: Number(ambiguous) },
      { livemode: livemode === "1", ambiguous: ambiguous === "1" },
    ])
      expect(readRow({ ...texts, ...flags })).toEqual(written);
  }
});
