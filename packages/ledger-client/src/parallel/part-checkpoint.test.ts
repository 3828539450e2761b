import { describe, expect, test } from "vitest";
import { at, createList, keyOfItem, minutes, sent, type Item } from "../testing/timed-list.ts";
import type { Part } from "./part.ts";

const MINUTE = 60_000;

const markOf = (item: Item) => ({ key: keyOfItem(item), time: item.time });
/** Returns the keys of the items of some minutes. */
const keysOf = (...times: number[]): string[] => times.map((minute) => keyOfItem(at(minute)));
const take = (part: Part<Item>, count: number): string[] =>
  Array.from({ length: count }, () => part.take()?.value.id ?? "none");

describe("the checkpoint of a part", () => {
  test("has no place and no first item before a page was read", () => {
    expect(createList(minutes(9, 1)).part(9, 1).checkpoint()).toEqual({
      max: sent(9),
      until: sent(1),
      place: null,
      first: null,
      stop: null,
    });
  });

  test("has no place before an item was returned, but the first item", async () => {
    const whole = createList(minutes(9, 1)).part(9, 1);
    await whole.read();
    expect(whole.checkpoint()).toMatchObject({ place: null, first: markOf(at(9)) });
  });

  test.each([
    [1, { cursor: null, offset: 1, items: 1, anchor: keysOf(9) }],
    [2, { cursor: null, offset: 2, items: 2, anchor: keysOf(9, 8) }],
    [3, { cursor: "4", offset: 0, items: 4, anchor: keysOf(8, 7, 6) }, 4],
    [5, { cursor: "4", offset: 1, items: 5, anchor: keysOf(7, 6, 5) }],
    [7, { cursor: "4", offset: 3, items: 7, anchor: keysOf(5, 4, 3) }],
  ])("after %i items has the place within the page", async (count, place, taken = count) => {
    const whole = createList(minutes(9, 1), { pageSize: 4 }).part(9, 1);
    await whole.read();
    await whole.read();
    take(whole, taken);
    expect(whole.checkpoint().place).toMatchObject(place);
  });

  test("does not count pages that were read ahead, and the walk resumes after the returned items", async () => {
    const { part, requests } = createList(minutes(12, 1), { pageSize: 4 });
    const whole = part(12, 1);
    for (let count = 0; count < 3; count++) await whole.read();
    take(whole, 6);
    const { place } = whole.checkpoint();
    const rest = part(12, 1, { at: undefined, place: place ?? undefined });
    requests.length = 0;
    await rest.read();
    expect(requests).toEqual([`${sent(12)} 4`]);
    expect(take(rest, 3)).toEqual(["m6", "m5", "none"]);
    // Two pages later, its own place counts from the start of the list, too.
    await rest.read();
    take(rest, 1);
    expect(rest.checkpoint().place).toMatchObject({
      cursor: "8",
      offset: 1,
      items: 9,
      anchor: keysOf(6, 5, 4),
    });
  });

  test("of a walk that resumed within a page has a place within the same page", async () => {
    const { part } = createList(minutes(12, 1), { pageSize: 6 });
    const place = { cursor: null, offset: 2, items: 2, anchor: keysOf(12, 11), before: [] };
    const rest = part(12, 1, { at: undefined, place });
    expect(rest.checkpoint().place).toEqual(place);
    await rest.read();
    expect(rest.checkpoint().place).toEqual(place);
    for (const [items, anchor] of [
      [3, keysOf(12, 11, 10)],
      [4, keysOf(11, 10, 9)],
      [5, keysOf(10, 9, 8)],
    ] as const) {
      take(rest, 1);
      expect(rest.checkpoint().place).toEqual({ ...place, offset: items, items, anchor });
    }
  });

  test("has the item where it ends as soon as the other part has read it", async () => {
    const whole = createList(minutes(12, 1)).part(12, 1);
    const older = whole.split(6 * MINUTE);
    expect(whole.checkpoint().stop).toBeNull();
    await older.read();
    expect(whole.checkpoint().stop).toEqual(markOf(at(6)));
    expect(older.checkpoint().stop).toBeNull();
  });

  test("keeps the first item of a part that resumed", async () => {
    const place = { cursor: "3", offset: 0, items: 3, anchor: keysOf(10), before: [] };
    const rest = createList(minutes(12, 1)).part(12, 1, { first: markOf(at(12)), place });
    expect(rest.isKnown).toBe(true);
    await rest.read();
    expect(rest.first).toEqual(markOf(at(12)));
    expect(rest.checkpoint().first).toEqual(markOf(at(12)));
  });
});

describe("a request of a part", () => {
  /** A part whose third request waits, and the part after it. */
  async function waiting() {
    const gate = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    const list = createList(minutes(12, 1), {
      async beforeResponse(_, given) {
        if (list.requests.length !== 3) return;
        signal = given;
        await gate.promise;
      },
    });
    const newer = list.part(12, 1);
    const older = newer.split(8 * MINUTE);
    for (let count = 0; count < 2; count++) await newer.read();
    const reading = newer.read();
    await Promise.resolve();
    return { gate, newer, older, reading, signal: () => signal };
  }

  test.each([
    ["succeeds", (gate: PromiseWithResolvers<void>) => gate.resolve()],
    ["fails", (gate: PromiseWithResolvers<void>) => gate.reject(new Error("aborted"))],
  ])("that %s after the part has ended changes nothing", async (_, end) => {
    const { gate, newer, older, reading, signal } = await waiting();
    await older.read();
    expect(signal()?.aborted).toBe(false);
    expect(newer.isRead).toBe(true);
    expect(signal()?.aborted).toBe(true);
    end(gate);
    expect(await reading).toBeUndefined();
    expect(newer).toMatchObject({ pages: 2, isLost: false, isRead: true });
    expect(take(newer, 5)).toEqual(["m12", "m11", "m10", "m9", "none"]);
    expect(newer.isDone).toBe(true);
  });

  test("that fails before the part has ended rejects, and the next one reads the same page", async () => {
    const { gate, newer, older, reading } = await waiting();
    const error = new Error("no network");
    gate.reject(error);
    await expect(reading).rejects.toBe(error);
    expect(newer).toMatchObject({ pages: 2, isRead: false });
    await newer.read();
    expect(newer.pages).toBe(3);
    await older.read();
    expect(newer.isRead).toBe(true);
  });

  test("is cancelled by close()", async () => {
    const { gate, newer, reading, signal } = await waiting();
    newer.close();
    expect(signal()?.aborted).toBe(true);
    gate.reject(new Error("aborted"));
    await expect(reading).rejects.toThrow("aborted");
  });
});
