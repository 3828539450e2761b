import { setImmediate as turn } from "node:timers/promises";
import { isNewestFirst } from "@fieldmesh/http/pager";
import { PlaceLostError } from "@fieldmesh/http";
import { describe, expect, test } from "vitest";
import {
  ANCHOR_SIZE,
  at,
  createList,
  keyOfItem,
  minutes,
  sent,
  type Item,
} from "../testing/timed-list.ts";
import { readTime } from "../time.ts";
import type { PartCheckpoint } from "./checkpoint.ts";
import type { Plan } from "./plan.ts";
import { createRun, type Run } from "./run.ts";

const MINUTE = 60_000;
const context = { call: "list", route: "GET /list" };

/** Starts a run of a list from one minute down to another. Some requests are held until they are released. */
function open(
  items: readonly Item[],
  {
    from,
    low = 0,
    isHeld = () => false,
    ...given
  }: Partial<Plan<Item>> & { from: number; low?: number; isHeld?: (request: string) => boolean },
) {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const list = createList(items, {
    async beforeResponse(request) {
      if (!isHeld(request)) return;
      const gate = Promise.withResolvers<void>();
      held.set(request, gate);
      await gate.promise;
    },
  });
  const whole = { max: sent(from), until: sent(low), place: null, first: null, stop: null };
  const run = createRun<Item>({
    context,
    identity: { ...context, server: "s", path: "p", query: {} },
    byTime: { field: "time", readTime },
    range: { min: sent(low), max: sent(from), from: low * MINUTE, to: from * MINUTE },
    given: 0,
    maxItems: Infinity,
    lanes: 2,
    order: "arrival",
    parts: [whole],
    list: { anchorSize: ANCHOR_SIZE, open: list.open, keyOf: keyOfItem, isNewestFirst },
    lostAfter: (count) => new PlaceLostError(context, count, "is lost"),
    ...given,
  });
  return {
    run,
    requests: list.requests,
    /** Returns the minutes at which the parts begin, in order of their first request. */
    parts: () => [...new Set(list.requests.map((request) => minuteOf(request)))],
    async release(request: string, error?: Error) {
      const gate = held.get(request);
      if (gate === undefined) throw new Error(`${request} was not sent`);
      if (error === undefined) gate.resolve();
      else gate.reject(error);
      await turn();
    },
  };
}

const minuteOf = (request: string): number => Date.parse(request.split(" ")[0] ?? "") / MINUTE;

/** Takes the items that are read. Returns their ids. */
function takeAll(run: Run<Item>): string[] {
  const ids: string[] = [];
  for (let item = run.take(); item !== undefined; item = run.take()) ids.push(item.value.id);
  return ids;
}

/** Takes all items of a run. Returns their ids. */
async function readAll(run: Run<Item>): Promise<string[]> {
  const ids: string[] = [];
  while (await run.readMore()) ids.push(...takeAll(run));
  return ids;
}

const idsOf = (items: readonly Item[]): string[] => items.map(({ id }) => id);

describe("reading ahead", () => {
  test.each([
    [1, "arrival", [60], 2],
    [2, "arrival", [60, 29], 4],
    [3, "arrival", [60, 29, 43], 6],
    // The first part has an item, so that no other part is read.
    [2, "list", [60], 16],
  ] as const)(
    "%i lanes, order %s: parts at %j and %i pages until an item is taken",
    async (...row) => {
      const [lanes, order, parts, pages] = row;
      const opened = open(minutes(60, 1), { from: 60, lanes, order });
      expect(await opened.run.readMore()).toBe(true);
      await turn();
      expect(opened.parts()).toEqual(parts);
      expect(opened.requests).toHaveLength(pages);
    },
  );

  test("reads the next page of a part as soon as all items of its first one were taken", async () => {
    const { run, requests } = open(minutes(60, 1), { from: 60, lanes: 1 });
    await run.readMore();
    await turn();
    expect(takeAll(run)).toEqual(idsOf(minutes(60, 55)));
    expect(requests).toHaveLength(2);
    const more = run.readMore();
    expect(requests).toHaveLength(3);
    expect(await more).toBe(true);
    expect(takeAll(run)).toEqual(idsOf(minutes(54, 52)));
  });

  test("while the first part is late, the order of the list reads two parts per lane, 16 pages each", async () => {
    const late = `${sent(9_000)} 3`;
    const opened = open(minutes(9_000, 1), {
      from: 9_000,
      order: "list",
      isHeld: (request) => request === late,
    });
    await opened.run.readMore();
    expect(takeAll(opened.run)).toEqual(["m9000", "m8999", "m8998"]);
    const more = opened.run.readMore();
    await turn();
    await turn();
    expect(opened.parts()).toEqual([9_000, 4_499, 6_748, 7_873]);
    expect(opened.requests).toHaveLength(2 + 3 * 16);
    await opened.release(late);
    expect(await more).toBe(true);
    expect(takeAll(opened.run).slice(0, 3)).toEqual(["m8997", "m8996", "m8995"]);
  });

  test("the order of the list splits its first part, even if another one is longer", async () => {
    const [whole, half, quarter] = [sent(600), sent(299), sent(448)];
    const opened = open(minutes(600, 298), {
      from: 600,
      lanes: 3,
      order: "list",
      isHeld: (request) => request !== whole,
    });
    await opened.run.readMore();
    expect(takeAll(opened.run)).toHaveLength(3);
    const pages = Array.from({ length: 30 }, (_, index) => `${whole} ${3 + 3 * index}`);
    for (const page of pages) {
      const more = opened.run.readMore();
      await turn();
      await opened.release(page);
      expect(await more).toBe(true);
      takeAll(opened.run);
    }
    expect(opened.requests.filter((request) => !request.includes(" "))).toEqual([
      whole,
      half,
      quarter,
    ]);
    void opened.run.readMore();
    await turn();
    // The list of the last part ends with its first page, so that its lane is free.
    await opened.release(half);
    expect(opened.parts()).toEqual([600, 299, 448, 478]);
  });

  test("the order of arrival splits the longest part", async () => {
    const [whole, half, quarter] = [sent(60), sent(29), sent(43)];
    const opened = open(minutes(60, 1), {
      from: 60,
      lanes: 3,
      isHeld: (request) => request !== whole,
    });
    await opened.run.readMore();
    expect(opened.parts()).toEqual([60, 29, 43]);
    await opened.release(quarter);
    takeAll(opened.run);
    for (const page of [3, 6, 9, 12, 15]) {
      await opened.release(`${whole} ${page}`);
      await opened.run.readMore();
      takeAll(opened.run);
    }
    await turn();
    expect(opened.requests).not.toContain(`${half} 3`);
    expect(opened.parts()).toEqual([60, 29, 43, 14]);
  });
});

describe("a part is worth a split", () => {
  test.each([
    // The first page spans two minutes and ends at 8: six minutes are three pages.
    ["arrival", 2, [10, 5]],
    ["arrival", 3, [10]],
    // It ends at 8: 32 minutes are 16 pages.
    ["list", -24, [10, -8]],
    ["list", -23, [10]],
  ] as const)("in order of %s, from the average page of its rest: down to %i", async (...row) => {
    const [order, low, parts] = row;
    const opened = open(minutes(10, low), {
      from: 10,
      low,
      order,
      isHeld: (request) => request !== sent(10),
    });
    await opened.run.readMore();
    takeAll(opened.run);
    void opened.run.readMore();
    await turn();
    expect(opened.parts()).toEqual(parts);
  });

  test.each([
    // Two pages span 9 and 2 minutes: three of them are 16.5 minutes. The second one ends at 89.
    [72, [100, 80]],
    [73, [100]],
  ])("by the average of all pages: down to %i", async (low, parts) => {
    const first = [100, 95, 91, 90, 90, 89].map((minute, index) => at(minute, `i${index}`));
    const opened = open([...first, ...minutes(88, low)], { from: 100, low });
    await opened.run.readMore();
    await turn();
    expect(opened.parts()).toEqual(parts);
  });

  test("only if a whole minute lies after its end", async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      id: `s${index}`,
      time: 10 * 60 + 59 - index,
    }));
    const opened = open(items, { from: 11, low: 10, lanes: 4 });
    expect(await readAll(opened.run)).toEqual(idsOf(items));
    expect(opened.parts()).toEqual([11]);
  });

  test("not before a page was read, and not if a newer item comes later", async () => {
    const opened = open([at(50), at(49), at(51), ...minutes(48, 1)], { from: 60, lanes: 4 });
    const more = opened.run.readMore();
    expect(opened.requests).toEqual([sent(60)]);
    await more;
    await readAll(opened.run);
    expect(opened.parts()).toEqual([60]);
  });

  test("not if its items have no times", async () => {
    const items = Array.from({ length: 30 }, (_, index) => at(null, `n${index}`));
    const opened = open(items, { from: 60, lanes: 4 });
    expect(await readAll(opened.run)).toEqual(idsOf(items));
    expect(opened.parts()).toEqual([60]);
  });
});

describe("a run", () => {
  test.each([
    [1, "arrival"],
    [5, "arrival"],
    [5, "list"],
  ] as const)("of %i lanes in order of %s returns each item once", async (lanes, order) => {
    const { run } = open(minutes(200, 1), { from: 200, lanes, order });
    const ids = await readAll(run);
    if (order === "list") expect(ids).toEqual(idsOf(minutes(200, 1)));
    expect(new Set(ids)).toEqual(new Set(idsOf(minutes(200, 1))));
    expect(ids).toHaveLength(200);
    expect(run.place()).toEqual({ given: 200, parts: [] });
    expect(await run.readMore()).toBe(false);
  });

  test("returns no item beyond maxItems, and then sends nothing", async () => {
    const { run, requests } = open(minutes(60, 1), { from: 60, maxItems: 2 });
    await run.readMore();
    expect(takeAll(run)).toEqual(["m60", "m59"]);
    expect(run.place().given).toBe(2);
    expect(await run.readMore()).toBe(false);
    const sentBefore = requests.length;
    await turn();
    expect(requests).toHaveLength(sentBefore);
    expect(run.take()).toBeUndefined();
  });

  test("throws the failure of a part once, after the items that were read, and then reads it again", async () => {
    const page = `${sent(60)} 3`;
    const opened = open(minutes(60, 1), {
      from: 60,
      lanes: 2,
      isHeld: (request) => request === page,
    });
    await opened.run.readMore();
    const error = new Error("no network");
    await opened.release(page, error);
    expect(opened.requests.filter((request) => request === page)).toHaveLength(1);
    await expect(opened.run.readMore()).rejects.toBe(error);
    const more = opened.run.readMore();
    expect(opened.requests.filter((request) => request === page)).toHaveLength(2);
    expect(await more).toBe(true);
  });

  test("is lost after the returned items if a part does not end where the next one begins", async () => {
    const parts: PartCheckpoint[] = [
      {
        max: sent(9),
        until: sent(5),
        place: null,
        first: null,
        stop: { key: "other", time: 300 },
      },
    ];
    const { run } = open(minutes(9, 8), { from: 9, parts });
    expect(await run.readMore()).toBe(true);
    expect(takeAll(run)).toEqual(["m9", "m8"]);
    await expect(run.readMore()).rejects.toMatchObject({ name: "PlaceLostError" });
  });

  test("does not split a part that resumes before it has read a page of it", async () => {
    const place = {
      cursor: "48",
      offset: 0,
      items: 48,
      anchor: [14, 13, 12].map((minute) => keyOfItem(at(minute, `m${minute}`))),
    };
    const parts: PartCheckpoint[] = [
      { max: sent(59), until: sent(6), place, first: null, stop: null },
      { max: sent(6), until: sent(-60), place: null, first: null, stop: null },
    ];
    const resumed = `${sent(59)} 48`;
    const opened = open(minutes(59, -60), {
      from: 59,
      low: -60,
      lanes: 3,
      parts,
      isHeld: (request) => request === resumed,
    });
    const more = opened.run.readMore();
    expect(opened.requests).toEqual([resumed, sent(6)]);
    await more;
    await turn();
    expect(opened.parts()).toEqual([59, 6, -28]);
  });
});
