// What becomes of each kind of event over several nights, for lists in each order.
import { memoryOrder } from "@fieldmesh/webhook-types/receiver";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, type Nights, orders, START, startNights, stores } from "./nights.ts";
import { playNights } from "./play-nights.ts";

const CODE = { type: "cpni.verification.requested" };
const ORDER = { type: "psim_order.shipped" };
const ids = (events: readonly { readonly id: string }[]): string[] =>
  events.map(({ id }) => id).toSorted();
const countOf = ({ runs }: Nights, id: string): number => runs.get(id)?.count ?? 0;

describe.each(orders)("a list %s", (order) => {
  test("an event that fails stays open until it is handled, whatever since is", async () => {
    const nights = startNights(order);
    nights.add("evt_1");
    nights.failing.add(nights.add("evt_2", 1_000));
    for (let night = 0; night < 10; night++) {
      nights.wait(DAY);
      nights.add(`evt_1${night}`);
      expect(ids((await nights.night()).open)).toEqual(["evt_2"]);
    }
    nights.failing.clear();
    expect(await nights.night()).toMatchObject({ handled: 1, open: [], givenUp: [] });
    expect([...nights.runs.values()].every(({ count }) => count === 1)).toBe(true);
  });

  test("after a pause, everything since the last run is read, and the totals say from when", async () => {
    const nights = startNights(order);
    for (let n = 0; n < 20; n++) nights.add(`evt_${n}`, n * 1_000);
    nights.wait(HOUR);
    expect(await nights.night()).toMatchObject({ handled: 20 });
    const read = nights.checkpoint()!.newest;
    for (let n = 20; n < 67; n++) {
      nights.wait(2.5 * HOUR);
      nights.add(`evt_${n}`);
    }
    const since = new Date(nights.now() - HOUR);
    expect(await nights.night({ since })).toMatchObject({ handled: 47, readFrom: read });
    expect(await nights.night()).not.toHaveProperty("readFrom");
  });

  test("an event dated ahead drops no newer one of its object that was missed as well", async () => {
    const nights = startNights(order, { order: memoryOrder() });
    for (let n = 0; n < 20; n++) nights.add(`evt_${n}`, n * 1_000);
    nights.wait(HOUR);
    await nights.night();
    const data = { data: { object: { id: "plan_x" } } };
    nights.add("evt_20", 3 * DAY, data);
    nights.wait(HOUR);
    nights.add("evt_21", 0, data);
    nights.wait(HOUR);
    expect(await nights.night()).toMatchObject({ handled: 2, superseded: 0 });
    expect(nights.runs.get("evt_20")?.order).toBe("ambiguous");
  });

  test("an event dated ahead neither ends reading nor changes the order of the list", async () => {
    const nights = startNights(order);
    for (let n = 0; n < 20; n++) nights.add(`evt_${n}`, n * 1_000);
    nights.wait(HOUR);
    nights.add("evt_20", 3 * DAY);
    nights.add("evt_21", 10 * 365 * DAY);
    await nights.night();
    const known = nights.checkpoint()!;
    expect(known.newest).toBe(new Date(START + 19_000).toISOString());
    expect(known.order).toBe(order === "newest_date_first" ? "newest_first" : order);
    for (let night = 1; night < 12; night++) {
      nights.wait(DAY);
      for (let n = 0; n < 12; n++) nights.add(`evt_${100 * night + n}`, n - 1_000);
      const totals = await nights.night();
      expect(totals).toMatchObject({ handled: 12, open: [] });
      expect(totals.wholeList).toBe(order === "none" ? "no_order" : undefined);
    }
    expect([...nights.runs.values()].every(({ count }) => count === 1)).toBe(true);
  });

  test("what cannot be parsed is listed, costs no page, and is given up once", async () => {
    const nights = startNights(order);
    const created_at = new Date(START).toISOString();
    nights.add("evt_2", 0, { data: null });
    nights.add("", 0, { created_at: undefined, data: null });
    nights.add("evt_4", 0, { created_at: "soon", data: null });
    for (let n = 10; n < 30; n++) nights.add(`evt_${n}`, n * 1_000);
    nights.wait(HOUR);
    const { notParsed } = await nights.night();
    expect(notParsed).toHaveLength(3);
    expect(notParsed).toContainEqual(
      expect.objectContaining({ id: "evt_2", type: "plan.created", created_at }),
    );
    const open = nights.checkpoint()!.open;
    expect(ids(open)).toEqual(["evt_2", "evt_4", expect.stringMatching(/^item_/)]);
    expect(open.every(({ reason }) => reason === "not_parsed")).toBe(true);
    const givenUp: string[] = [];
    for (let night = 1; night < 12; night++) {
      nights.wait(DAY);
      nights.add(`evt_1${night}0`);
      const totals = await nights.night();
      givenUp.push(...totals.givenUp.map(({ id }) => id));
      expect(totals.given_up).toBe(nights.reports.filter((r) => r.outcome === "given_up").length);
      if (night < 3) expect(totals.open).toHaveLength(3);
      if (order !== "none") expect(nights.world.requests).toBeLessThan(6);
    }
    expect(givenUp.toSorted()).toEqual(ids(open));
    expect(nights.checkpoint()!.open).toEqual([]);
  });

  test("an open event that is no longer listed stays open until its deliveries end", async () => {
    const nights = startNights(order);
    for (let n = 0; n < 12; n++) nights.add(`evt_${n}`, n * 1_000);
    nights.failing.add("evt_3");
    nights.wait(HOUR);
    await nights.night();
    nights.remove("evt_3");
    nights.wait(DAY);
    expect(await nights.night()).toMatchObject({ failed: 0, given_up: 0, open: [{ id: "evt_3" }] });
    nights.wait(2 * DAY);
    expect(await nights.night()).toMatchObject({ givenUp: [{ id: "evt_3" }], open: [] });
    expect(await nights.night()).toMatchObject({ givenUp: [], open: [] });
  });

  test.each(stores)(
    "a code waits for its delivery, and is not marked in the %s store",
    async (kind) => {
      const nights = startNights(order, { kind });
      const sims = ["sim.provisioned", "sim.activated", "sim.swapped"] as const;
      const waiting = [nights.add("evt_1", 0, CODE), nights.add("evt_2", 0, ORDER)];
      for (const [n, type] of sims.entries()) waiting.push(nights.add(`evt_${n + 3}`, 0, { type }));
      waiting.push(nights.add("evt_6", DAY, CODE), nights.add("evt_7", 0, ORDER));
      nights.wait(HOUR);
      nights.add("evt_9");
      const options = { deliveryOnly: sims };
      const first = await nights.night(options);
      expect(first).toMatchObject({ waiting: 7, handled: 1 });
      expect(ids(first.open)).toEqual(waiting);
      nights.wait(DAY);
      for (const id of ["evt_1", "evt_3", "evt_6"])
        expect(await nights.deliver(id)).toEqual({ outcome: "handled" });
      nights.wait(2 * DAY - HOUR / 2);
      // The wait of one that is dated ahead begins when it is first read.
      const later = await nights.night(options);
      expect(later).toMatchObject({
        handled: 4,
        duplicate: 3,
        waiting: 1,
        open: [{ id: "evt_6" }],
      });
      nights.wait(HOUR);
      expect(await nights.night(options)).toMatchObject({ handled: 0, waiting: 0, open: [] });
      expect(ids([...nights.runs].map(([id]) => ({ id })))).toEqual([...waiting, "evt_9"]);
      expect(nights.runs.get("evt_1")).toMatchObject({ count: 1, source: "webhook" });
      expect(nights.runs.get("evt_2")).toMatchObject({ count: 1, source: "store" });
    },
  );

  test("a list that is read again does not run what the store has forgotten", async () => {
    const nights = startNights(order);
    for (let n = 0; n < 12; n++) nights.add(`evt_${n}`, n * 1_000);
    nights.add("evt_12", 0, { created_at: "soon" });
    nights.wait(HOUR);
    await nights.night();
    nights.wait(8 * DAY);
    nights.add("evt_13");
    nights.world.order = order === "oldest_first" ? "newest_first" : "oldest_first";
    const totals = await nights.night();
    expect(totals.handled).toBe(1);
    expect(totals.duplicate).toBe(0);
    expect(totals.notChecked).toBeGreaterThan(0);
    expect(countOf(nights, "evt_13")).toBe(1);
  });

  test.each<[string, number, readonly string[]]>([
    ["after a night", 24, []],
    ["after a pause of 80 hours", 80, ["evt_2"]],
    ["after a pause of 9 days", 9 * 24, ["evt_2"]],
    ["in a first run", 0, ["evt_2"]],
  ])(
    "a code without a date that was delivered and read %s is not handled again",
    async (...row) => {
      const [, pause, named] = row;
      const ahead = new Date(START + 60 * DAY).toISOString();
      for (const kind of stores)
        for (const created_at of ["soon", undefined, ahead]) {
          const nights = startNights(order, { kind });
          nights.wait(DAY);
          if (pause > 0) await nights.night();
          nights.wait(HOUR);
          nights.add("evt_2", 0, { ...CODE, created_at });
          await nights.deliver("evt_2");
          // The wait ends two minutes after the run of the third night.
          nights.wait((pause || 80) * HOUR - HOUR + 120_000);
          expect(await nights.night()).toMatchObject({ waiting: 1, open: [{ id: "evt_2" }] });
          nights.wait(-120_000);
          const givenUp: string[] = [];
          for (let night = 1; night < 6; night++) {
            nights.wait(DAY);
            const totals = await nights.night();
            givenUp.push(...ids(totals.givenUp));
            expect(ids(totals.open)).toEqual(night < 4 ? ["evt_2"] : []);
          }
          expect(countOf(nights, "evt_2")).toBe(1);
          expect(givenUp).toEqual(named);
        }
    },
  );

  test("with an order, no newer event is handled before one that waits", async () => {
    const nights = startNights(order, { order: memoryOrder() });
    const data = { object: { id: "sim_1" } };
    nights.add("evt_1", 0, { type: "sim.activated", data });
    nights.add("evt_2", 1_000, { type: "sim.suspended", data });
    nights.add("evt_3", 2_000, { type: "sim.suspended", data: { object: { id: "sim_2" } } });
    nights.wait(HOUR);
    const deliveryOnly = ["sim.activated"] as const;
    const night = () => nights.night({ deliveryOnly });
    expect(await night()).toMatchObject({ waiting: 2, handled: 1 });
    nights.wait(HOUR);
    nights.add("evt_4", 0, { type: "sim.resumed", data });
    expect(await night()).toMatchObject({ handled: 0, superseded: 0 });
    expect(await nights.deliver("evt_1")).toEqual({ outcome: "handled" });
    nights.wait(3 * DAY);
    expect(await night()).toMatchObject({ open: [] });
    expect(countOf(nights, "evt_4")).toBe(1);
  });

  test("after its deliveries, an event that waited is not dropped because of a newer one", async () => {
    const nights = startNights(order, { order: memoryOrder() });
    const data = { object: { id: "order_1" } };
    nights.add("evt_1", 0, { ...ORDER, data });
    nights.add("evt_2", 1_000, { type: "psim_order.delivered", data });
    nights.wait(HOUR);
    await nights.night();
    expect(await nights.deliver("evt_2")).toEqual({ outcome: "handled" });
    nights.wait(3 * DAY);
    expect(await nights.night()).toMatchObject({ handled: 1, superseded: 0, open: [] });
    expect(nights.runs.get("evt_1")).toMatchObject({
      count: 1,
      source: "store",
      order: "ambiguous",
    });
  });
});

describe.each(stores)("a list without order, and the %s store", (kind) => {
  const start = async () => {
    const nights = startNights("none", { kind });
    for (let n = 0; n < 40; n++) nights.add(`evt_${n}`, ((n * 7) % 40) * HOUR);
    nights.wait(2 * DAY);
    const since = new Date(START);
    await nights.night({ since });
    return { nights, since };
  };

  test("since must be within what the store remembers, and the message says which works", async () => {
    const { nights, since } = await start();
    nights.wait(8 * DAY);
    nights.add("evt_50");
    nights.world.requests = 0;
    const error: unknown = await nights.night({ since }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(nights.world.requests).toBe(0);
    const [, advised = ""] = /Pass since: "([^"]+)"/.exec(String(error))!;
    expect(advised).toBe(new Date(nights.now() - 7 * DAY).toISOString());
    nights.wait(HOUR);
    expect(await nights.night({ since: advised })).toMatchObject({ handled: 1 });
    expect(nights.checkpoint()!.since).toBe(advised);
    expect([...nights.runs.values()].every(({ count }) => count === 1)).toBe(true);
  });

  test("a computed since works every night, also after a pause longer than the memory", async () => {
    const { nights } = await start();
    nights.failing.add(nights.add("evt_60"));
    for (const days of [1, 3, 9, 1, 8]) {
      nights.add(`evt_${nights.items.length + 100}`);
      nights.wait(days * DAY);
      expect(await nights.night()).toMatchObject({ handled: 1, open: [{ id: "evt_60" }] });
    }
    nights.failing.clear();
    expect(await nights.night()).toMatchObject({ handled: 1, open: [] });
    expect([...nights.runs.values()].every(({ count }) => count === 1)).toBe(true);
  });

  test("what was open is given up if the store may have forgotten its delivery in a pause", async () => {
    const { nights } = await start();
    nights.failing.add(nights.add("evt_60"));
    nights.add("evt_61", 0, CODE);
    await nights.night();
    nights.failing.clear();
    nights.wait(HOUR);
    for (const id of ["evt_60", "evt_61"]) await nights.deliver(id);
    nights.wait(8 * DAY);
    const totals = await nights.night();
    expect(totals).toMatchObject({ handled: 0, open: [] });
    expect(ids(totals.givenUp)).toEqual(["evt_60", "evt_61"]);
  });
});

test("each event is handled once, or named, whatever the nights bring", async () => {
  for (let seed = 0; seed < 20; seed++) expect(await playNights(seed)).toEqual([]);
});
