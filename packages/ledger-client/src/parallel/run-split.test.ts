import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { idsOf, openRun, readAll, takeAll } from "../testing/open-run.ts";
import { at, minutes, sent } from "../testing/timed-list.ts";

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
      const opened = openRun(minutes(60, 1), { from: 60, lanes, order });
      expect(await opened.run.readMore()).toBe(true);
      await turn();
      expect(opened.parts()).toEqual(parts);
      expect(opened.requests).toHaveLength(pages);
    },
  );

  test("reads the next page of a part as soon as all items of its first one were taken", async () => {
    const { run, requests } = openRun(minutes(60, 1), { from: 60, lanes: 1 });
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
    const opened = openRun(minutes(9_000, 1), {
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
    const opened = openRun(minutes(600, 298), {
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
    const opened = openRun(minutes(60, 1), {
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
    const opened = openRun(minutes(10, low), {
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
    const opened = openRun([...first, ...minutes(88, low)], { from: 100, low });
    await opened.run.readMore();
    await turn();
    expect(opened.parts()).toEqual(parts);
  });

  test("only if a whole minute lies after its end", async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      id: `s${index}`,
      time: 10 * 60 + 59 - index,
    }));
    const opened = openRun(items, { from: 11, low: 10, lanes: 4 });
    expect(await readAll(opened.run)).toEqual(idsOf(items));
    expect(opened.parts()).toEqual([11]);
  });

  test("not before a page was read, and not if a newer item comes later", async () => {
    const opened = openRun([at(50), at(49), at(51), ...minutes(48, 1)], { from: 60, lanes: 4 });
    const more = opened.run.readMore();
    expect(opened.requests).toEqual([sent(60)]);
    await more;
    await readAll(opened.run);
    expect(opened.parts()).toEqual([60]);
  });

  test("not if its items have no times", async () => {
    const items = Array.from({ length: 30 }, (_, index) => at(null, `n${index}`));
    const opened = openRun(items, { from: 60, lanes: 4 });
    expect(await readAll(opened.run)).toEqual(idsOf(items));
    expect(opened.parts()).toEqual([60]);
  });
});
