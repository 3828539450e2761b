import { describe, expect, test } from "vitest";
import { collectEvents } from "./collect-events.ts";
import { compare } from "./compare.ts";
import { rowOf, type MirrorRow } from "./row.ts";
import type { Rows, Subscriber } from "./rows.ts";
import { subscribersOf } from "./subscribers.ts";
import type { ObjectKey, Version } from "./version.ts";

const COLLECTING = {
  tenant: "",
  stored: new Set(["sim.msisdn", "subscriber.email"] as const),
  firstClaims: new Map<string, string>(),
  now: Date.parse("2026-11-20T20:00:00Z"),
};

const keyOf = (family: string, id: string, livemode = false): ObjectKey => ({
  tenant: "",
  family,
  id,
  livemode,
});
const versionOf = (id: string, hour: string, more: Partial<Version> = {}): Version => ({
  id,
  type: "sim.restored",
  time: `2026-11-20T${hour}:00:00.000000Z`,
  state: {},
  personal: null,
  previous: null,
  ...more,
});
const eventOf = (id: string, hour: string, object: object, more: object = {}) => ({
  id,
  object: "event",
  type: "sim.restored",
  created_at: `2026-11-20T${hour}:00:00Z`,
  livemode: false,
  data: { object },
  ...more,
});

/** A table that returns one row for each page. */
function tableOf(
  list: readonly MirrorRow[],
  redacted: readonly (Subscriber & { readonly time: string })[] = [],
): Pick<Rows, "page" | "redacted"> {
  return {
    page: async (_tenant, after) => {
      const at = list.findIndex(({ key }) => key === after);
      return list.slice(at + 1, at + 2);
    },
    redacted: async () => [...redacted],
  };
}

async function compareTo(
  events: readonly object[],
  rows: readonly MirrorRow[],
  redacted: readonly (Subscriber & { readonly time: string })[] = [],
) {
  return compare(tableOf(rows, redacted), "", await collectEvents(events, COLLECTING));
}

describe("the counts of a comparison", () => {
  test("a row whose event is not listed is checked if its subscriber was erased later", async () => {
    const held = versionOf("evt_2", "10", {
      state: { id: "sim_2", subscriber_id: "sub_1" },
      personal: { msisdn: "5551234" },
    });
    const row = rowOf(keyOf("sim", "sim_2"), [held]);
    const erased = {
      tenant: "",
      livemode: false,
      id: "sub_1",
      time: "2026-11-20T11:00:00.000000Z",
    };
    const { report } = await compareTo([], [row], [erased]);
    expect(report).toMatchObject({
      differs: [{ id: "sim_2", columns: ["personal", "subscribers"] }],
      checked: 1,
      notChecked: 0,
    });
    // An erasure before it clears nothing.
    const early = { ...erased, time: "2026-11-20T09:00:00.000000Z" };
    expect((await compareTo([], [row], [early])).report).toMatchObject({
      differs: [],
      checked: 0,
      notChecked: 1,
    });
  });
});

describe("an erasure that the table lacks", () => {
  const erasure = eventOf("evt_9", "12", { id: "sub_1" }, { type: "subscriber.redacted" });

  test("is a difference of its subscriber, and of no other object with the same id", async () => {
    const erased = versionOf("evt_9", "12", {
      type: "subscriber.redacted",
      state: { id: "sub_1" },
    });
    const plan = versionOf("evt_3", "10", { type: "plan.created", state: { id: "sub_1" } });
    const { report, erasures } = await compareTo(
      [erasure, eventOf("evt_3", "10", { id: "sub_1" }, { type: "plan.created" })],
      [rowOf(keyOf("subscriber", "sub_1"), [erased]), rowOf(keyOf("plan", "sub_1"), [plan])],
    );
    expect(report.differs).toEqual([
      { family: "subscriber", id: "sub_1", livemode: false, columns: ["redacted_at"] },
    ]);
    expect(erasures).toEqual([
      { tenant: "", livemode: false, id: "sub_1", time: "2026-11-20T12:00:00.000000Z" },
    ]);
  });

  test("is none if the table has the same time or a later one, and one if it has an earlier one", async () => {
    const at = async (hour: string) => {
      const time = `2026-11-20T${hour}:00:00.000000Z`;
      const known = { tenant: "", livemode: false, id: "sub_1", time };
      return (await compareTo([erasure], [], [known])).erasures.length;
    };
    expect([await at("11"), await at("12"), await at("13")]).toEqual([1, 0, 0]);
  });

  test("clears what is at its time or before it, in its environment, and keeps what came later", async () => {
    const sims = ["11", "12", "13"].map((hour) =>
      eventOf(`evt_${hour}`, hour, {
        id: `sim_${hour}`,
        subscriber_id: "sub_1",
        msisdn: "5551234",
      }),
    );
    const live = eventOf(
      "evt_live",
      "11",
      { id: "sim_live", subscriber_id: "sub_1", msisdn: "5551234" },
      { livemode: true },
    );
    const { changes } = await compareTo([erasure, ...sims, live], []);
    const personal = Object.fromEntries(
      changes.map(({ expected: { key, columns } }) => [key.id, columns.personal]),
    );
    const kept = '{"msisdn":"5551234"}';
    expect(personal).toEqual({
      sub_1: null,
      sim_11: null,
      sim_12: null,
      sim_13: kept,
      sim_live: kept,
    });
  });

  test("of two erasures, the later one counts, in any order of the list", async () => {
    const late = eventOf("evt_10", "14", { id: "sub_1" }, { type: "subscriber.deleted" });
    for (const list of [
      [erasure, late],
      [late, erasure],
    ])
      expect((await compareTo(list, [])).erasures).toMatchObject([
        { time: "2026-11-20T14:00:00.000000Z" },
      ]);
  });
});

test("subscribers are named in order, so that all processes lock them in the same one", () => {
  const version = versionOf("evt_1", "10", { state: { subscriber_ids: ["b", "a"] } });
  expect(subscribersOf(keyOf("subscriber", "c"), version)).toEqual(["a", "b", "c"]);
});
