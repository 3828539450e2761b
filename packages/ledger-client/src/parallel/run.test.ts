import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { idsOf, openRun, readAll, takeAll } from "../testing/open-run.ts";
import { at, keyOfItem, minutes, sent } from "../testing/timed-list.ts";
import type { PartCheckpoint } from "./checkpoint.ts";

describe("a run", () => {
  test.each([
    [1, "arrival"],
    [5, "arrival"],
    [5, "list"],
  ] as const)("of %i lanes in order of %s returns each item once", async (lanes, order) => {
    const { run } = openRun(minutes(200, 1), { from: 200, lanes, order });
    const ids = await readAll(run);
    if (order === "list") expect(ids).toEqual(idsOf(minutes(200, 1)));
    expect(new Set(ids)).toEqual(new Set(idsOf(minutes(200, 1))));
    expect(ids).toHaveLength(200);
    expect(run.place()).toEqual({ given: 200, parts: [] });
    expect(await run.readMore()).toBe(false);
  });

  test("returns no item beyond maxItems, and then sends nothing", async () => {
    const { run, requests } = openRun(minutes(60, 1), { from: 60, maxItems: 2 });
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
    const opened = openRun(minutes(60, 1), {
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
    const { run } = openRun(minutes(9, 8), { from: 9, parts });
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
      before: [],
    };
    const parts: PartCheckpoint[] = [
      { max: sent(59), until: sent(6), place, first: null, stop: null },
      { max: sent(6), until: sent(-60), place: null, first: null, stop: null },
    ];
    const resumed = `${sent(59)} 48`;
    const opened = openRun(minutes(59, -60), {
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
