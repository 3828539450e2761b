import { describe, expect, test } from "vitest";
import { at, createList, keyOfItem, minutes, sent, type Item } from "../testing/timed-list.ts";
import type { Part } from "./part.ts";

const MINUTE = 60_000;

/** Takes items until none may be returned. Returns their ids. */
function takeAll(part: Part<Item>): string[] {
  const ids: string[] = [];
  for (let item = part.take(); item !== undefined; item = part.take()) ids.push(item.value.id);
  return ids;
}

/** Reads the rest of a part. */
async function readAll(part: Part<Item>): Promise<void> {
  while (!part.isRead) await part.read();
}

const idsOf = (items: readonly Item[]): string[] => items.map(({ id }) => id);
const markOf = (item: Item) => ({ key: keyOfItem(item), time: item.time });

describe("a part that ends with the list", () => {
  test("has read nothing at the start", () => {
    const { part, requests } = createList(minutes(9, 1));
    const whole = part(9, 1);
    expect(whole).toMatchObject({
      at: 9 * MINUTE,
      low: MINUTE,
      pages: 0,
      first: undefined,
      isKnown: false,
      isWaiting: false,
      isRead: false,
      isDone: false,
      isLost: false,
      hasItem: false,
    });
    expect(whole.take()).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test("returns the items of its pages in order, and is done after the last one", async () => {
    const { part, requests } = createList(minutes(7, 1));
    const whole = part(9, 1);
    await whole.read();
    expect(whole).toMatchObject({ at: 5 * MINUTE, pages: 1, isKnown: true, hasItem: true });
    expect(whole.first).toEqual(markOf(at(7)));
    await whole.read();
    expect(whole).toMatchObject({ at: 2 * MINUTE, pages: 2, first: markOf(at(7)) });
    expect([1, 2, 3].map(() => whole.take()?.value.id)).toEqual(["m7", "m6", "m5"]);
    expect(whole).toMatchObject({ hasItem: true, pages: 1, isRead: false });
    await whole.read();
    expect(whole).toMatchObject({ pages: 2, isRead: false });
    expect(await whole.read()).toBeUndefined();
    expect(whole).toMatchObject({ isRead: true, isDone: false, isLost: false });
    expect(takeAll(whole)).toEqual(["m4", "m3", "m2", "m1"]);
    expect(whole).toMatchObject({ isDone: true, pages: 0, hasItem: false });
    expect(requests).toEqual([sent(9), `${sent(9)} 3`, `${sent(9)} 6`]);
  });

  test("is known and done after an empty list", async () => {
    const whole = createList([]).part(9, 1);
    expect(await whole.read()).toBeUndefined();
    // The first page is empty, and the list ends with it.
    expect(whole).toMatchObject({ isKnown: false, isRead: false });
    expect(await whole.read()).toBeUndefined();
    expect(whole).toMatchObject({ isKnown: true, first: undefined, isRead: true, isDone: true });
  });
});

describe("what a page says", () => {
  test("spans the time since the last item before it, and the first page that since its first", async () => {
    const { part } = createList([at(9), at(8), at(6), at(5), at(3), at(1)]);
    const whole = part(20, 1);
    expect(await whole.read()).toEqual({ span: 3 * MINUTE, isNewestFirst: true });
    expect(await whole.read()).toEqual({ span: 5 * MINUTE, isNewestFirst: true });
  });

  test("spans its own items if the time before it is not known", async () => {
    const { part } = createList([at(9), at(8), at(null), at(5), at(4), at(1)], { pageSize: 3 });
    const whole = part(20, 1);
    expect(await whole.read()).toEqual({ span: undefined, isNewestFirst: true });
    expect(whole.at).toBeUndefined();
    expect(await whole.read()).toEqual({ span: 4 * MINUTE, isNewestFirst: true });
    expect(whole.at).toBe(MINUTE);
  });

  test("has no span if its first time is not known either", async () => {
    const whole = createList([at(null, "a"), at(8), at(7)]).part(20, 1);
    expect(await whole.read()).toEqual({ span: undefined, isNewestFirst: true });
    expect(whole.at).toBe(7 * MINUTE);
  });

  test.each<[string, readonly Item[], number, readonly boolean[]]>([
    ["within the page", [at(5), at(6), at(4)], 20, [false]],
    ["after the page before", [at(6), at(5), at(4), at(5, "x")], 20, [true, false]],
    [
      "nowhere, as equal times keep the order",
      [at(6), at(6, "x"), at(4), at(4, "y")],
      20,
      [true, true],
    ],
    ["nowhere, as an unknown time is skipped", [at(6), at(null), at(5)], 20, [true]],
  ])("tells whether a newer item comes later: %s", async (_, items, from, expected) => {
    const whole = createList(items).part(from, 1);
    for (const isNewestFirst of expected)
      expect(await whole.read()).toMatchObject({ isNewestFirst });
  });

  test("tells that its first item is newer than the last time of the query", async () => {
    const whole = createList(minutes(6, 4)).part(6, 1, { at: 5 * MINUTE });
    expect(await whole.read()).toMatchObject({ isNewestFirst: false });
  });

  test("begins where a walk resumes within a page, and marks the next item as the first", async () => {
    const { part } = createList([at(9), at(8), at(5), at(4)]);
    const place = { cursor: null, offset: 1, items: 1, anchor: [keyOfItem(at(9))], before: [] };
    const rest = part(9, 1, { at: undefined, place });
    expect(await rest.read()).toEqual({ span: 3 * MINUTE, isNewestFirst: true });
    expect(rest.first).toEqual(markOf(at(8)));
    expect(takeAll(rest)).toEqual(["m8", "m5"]);
  });
});

describe("a part that is followed by another one", () => {
  /** A part from 20 to 10, and the following one. Both pages of three items. */
  function pair(items: readonly Item[]) {
    const list = createList(items);
    const newer = list.part(20, 1);
    const older = newer.split(10 * MINUTE);
    return { ...list, newer, older };
  }

  test("ends where it is split, and the other part has its end", () => {
    const { part } = createList(minutes(20, 1));
    const newer = part(20, 1, { stop: markOf(at(2)), first: markOf(at(20)) });
    const older = newer.split(10 * MINUTE);
    expect(newer).toMatchObject({ low: 10 * MINUTE, at: 20 * MINUTE, isKnown: true });
    expect(older).toMatchObject({ low: MINUTE, at: 10 * MINUTE, isKnown: false, first: undefined });
    expect(newer.checkpoint()).toMatchObject({ max: sent(20), until: sent(10), stop: null });
    expect(older.checkpoint()).toEqual({
      max: sent(10),
      until: sent(1),
      place: null,
      first: null,
      stop: markOf(at(2)),
    });
  });

  test("begins at the start of its query if the split part had resumed", async () => {
    const { part, requests } = createList(minutes(20, 1));
    const place = { cursor: "3", offset: 0, items: 3, anchor: [keyOfItem(at(18))], before: [] };
    const older = part(20, 1, { at: undefined, place }).split(10 * MINUTE);
    await older.read();
    expect(requests).toEqual([sent(10)]);
    expect(takeAll(older)).toEqual(["m10", "m9", "m8"]);
  });

  test("keeps an older following part between the two", async () => {
    const { newer, older } = pair(minutes(20, 1));
    const middle = newer.split(15 * MINUTE);
    await older.read();
    await readAll(middle);
    expect(takeAll(middle)).toEqual(idsOf(minutes(15, 11)));
    expect(middle.isDone).toBe(true);
    await readAll(newer);
    expect(takeAll(newer)).toEqual(idsOf(minutes(20, 16)));
  });

  test("returns items a minute after its end, and waits with the others until the end is known", async () => {
    const { newer, older } = pair([
      at(12),
      at(11),
      { id: "border", time: 10 * 60 + 59 },
      at(10),
      at(9),
    ]);
    await newer.read();
    expect(takeAll(newer)).toEqual(["m12", "m11"]);
    expect(newer).toMatchObject({ hasItem: false, isWaiting: false, isRead: false });
    expect(newer.take()).toBeUndefined();
    await older.read();
    expect(newer.hasItem).toBe(true);
    expect(takeAll(newer)).toEqual(["border"]);
  });

  test("waits with an item without a time, and with those after it", async () => {
    const { newer, older } = pair([at(20), at(null), at(18), at(10)]);
    await newer.read();
    expect(takeAll(newer)).toEqual(["m20"]);
    await older.read();
    expect(older.first).toEqual(markOf(at(null)));
    // The other list has this item too, so that the part ends there.
    expect(newer).toMatchObject({ isRead: true, isDone: true });
  });

  test("waits to read on only below its end, and only until the end is known", async () => {
    const { newer, older } = pair(minutes(14, 5));
    await newer.read();
    expect(newer).toMatchObject({ at: 12 * MINUTE, isWaiting: false });
    await newer.read();
    expect(newer).toMatchObject({ at: 9 * MINUTE, isWaiting: true });
    await older.read();
    expect(newer.isWaiting).toBe(false);
  });

  test("does not wait at its end exactly", async () => {
    const { newer } = pair(minutes(12, 1));
    await newer.read();
    expect(newer).toMatchObject({ at: 10 * MINUTE, isWaiting: false });
  });

  test("is read as soon as its end is known to be in a page, and drops the pages after it", async () => {
    const { newer, older, requests } = pair(minutes(14, 1));
    for (let count = 0; count < 3; count++) await newer.read();
    expect(newer).toMatchObject({ pages: 3, isRead: false });
    await older.read();
    expect(newer.isRead).toBe(true);
    expect(newer).toMatchObject({ pages: 2, isDone: false, isLost: false });
    expect(takeAll(newer)).toEqual(["m14", "m13", "m12", "m11"]);
    expect(newer).toMatchObject({ isDone: true, isLost: false, pages: 0 });
    expect(requests).toHaveLength(4);
  });

  test("ends at the first of two equal items, also if the second one is on the next page", async () => {
    const equal = at(10, "equal");
    const { newer, older } = pair([at(14), at(13), equal, equal, at(9), at(8)]);
    for (let count = 0; count < 2; count++) await newer.read();
    await older.read();
    expect(newer).toMatchObject({ isRead: true, pages: 1 });
    expect(takeAll(newer)).toEqual(["m14", "m13"]);
    expect(newer).toMatchObject({ isDone: true, isLost: false });
  });

  test("ends within a page that is read after its end is known", async () => {
    const { newer, older } = pair(minutes(14, 1));
    await older.read();
    await newer.read();
    expect(newer).toMatchObject({ isRead: false, pages: 1 });
    expect(await newer.read()).toMatchObject({ isNewestFirst: true });
    expect(newer.isRead).toBe(true);
    expect(takeAll(newer)).toEqual(["m14", "m13", "m12", "m11"]);
    expect(newer.isDone).toBe(true);
  });

  test("is done without an item of its own if the other part begins with the same item", async () => {
    const { newer, older } = pair(minutes(10, 1));
    await newer.read();
    await older.read();
    expect(newer).toMatchObject({ isDone: true, isLost: false, hasItem: false });
  });

  test("ends only at an item with the same time and the same key", async () => {
    const { part } = createList([at(5), at(4, "a"), at(4, "b"), at(3, "b"), at(2)]);
    const whole = part(5, 1, { stop: markOf(at(3, "b")) });
    await readAll(whole);
    expect(takeAll(whole)).toEqual(["m5", "a", "b"]);
  });

  test("reads its list to the end if the other part is empty, and is not lost", async () => {
    const { newer, older } = pair(minutes(20, 16));
    await readAll(older);
    expect(older).toMatchObject({ isKnown: true, first: undefined });
    await readAll(newer);
    expect(newer).toMatchObject({ isLost: false, isDone: false });
    expect(takeAll(newer)).toEqual(idsOf(minutes(20, 16)));
    expect(newer.isDone).toBe(true);
  });

  test("is not done before its end is known, even if its list is read and its items are returned", async () => {
    const { newer, older } = pair(minutes(20, 16));
    await readAll(newer);
    expect(takeAll(newer)).toEqual(idsOf(minutes(20, 16)));
    expect(newer).toMatchObject({ isRead: true, isDone: false, isLost: false });
    await readAll(older);
    expect(newer).toMatchObject({ isDone: true, isLost: false });
  });

  test("is not lost if its end is found after its list was read", async () => {
    const { newer, older } = pair(minutes(12, 8));
    await readAll(newer);
    await older.read();
    expect(newer).toMatchObject({ isRead: true, isLost: false });
    expect(takeAll(newer)).toEqual(["m12", "m11"]);
  });

  test("is lost if its list ends without the first item of the other part", async () => {
    const { part } = createList(minutes(5, 1));
    const whole = part(5, 1, { stop: markOf(at(3, "other")) });
    await whole.read();
    expect(whole.isLost).toBe(false);
    await readAll(whole);
    expect(whole).toMatchObject({ isLost: true, isRead: true });
  });

  test("is lost if it has already returned the first item of the other part", async () => {
    const list = createList(minutes(20, 1));
    const older = list.part(15, 1);
    const newer = list.part(20, 10, { next: older });
    for (let count = 0; count < 2; count++) await newer.read();
    expect(takeAll(newer)).toEqual(idsOf(minutes(20, 15)));
    await newer.read();
    expect([newer.take(), newer.take()].map((item) => item?.value.id)).toEqual(["m14", "m13"]);
    await older.read();
    await readAll(newer);
    expect(newer.isLost).toBe(true);
  });

  test("does not end at an item of a page that was returned before", async () => {
    const list = createList(minutes(20, 1), { pageSize: 9 });
    const older = list.part(18, 1);
    const newer = list.part(20, 10, { next: older });
    await newer.read();
    for (let count = 0; count < 3; count++) newer.take();
    await older.read();
    expect(newer).toMatchObject({ isRead: false, hasItem: true });
    expect(newer.take()?.value.id).toBe("m17");
  });
});
