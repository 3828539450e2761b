import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keyOf } from "./fingerprint.ts";
import { createPlace, type Place } from "./place.ts";

interface Item {
  readonly id: number;
}

const never = { has: () => false };
const list = Array.from({ length: 200 }, (_, id): Item => ({ id }));
const keysOf = (from: number, to: number): string[] =>
  list.slice(Math.max(0, from), to).map((item) => keyOf(item, ["id"]));
const create = (anchorSize: number, resumeFrom?: Parameters<typeof createPlace>[2]): Place<Item> =>
  createPlace<Item>(["id"], anchorSize, resumeFrom);
const pageOf = (begin: number, size: number, offset = 0, cursor: string | undefined = "next") => ({
  items: list.slice(begin, begin + size),
  cursor,
  meta: undefined,
  readFrom: `at ${begin}`,
  offset,
  end: size,
});

/** Steps of a walk: return items, move to the next page, start again, or resume as another walk from the checkpoint. */
const step = fc.oneof(
  fc.record({ give: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ next: fc.nat(8) }),
  fc.record({ back: fc.nat(12), more: fc.nat(4) }),
  fc.constant({ resume: true }),
);

test("the anchor always holds the keys of the last returned items, with any pages", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(step, { maxLength: 25 }),
      (size, steps) => {
        let place = create(size);
        let [given, left] = [0, 0];
        for (const each of steps) {
          if ("give" in each) {
            const count = Math.min(each.give, left);
            if (count > 0) place.give(count);
            given += count;
            left -= count;
          } else if ("next" in each) {
            if (left > 0) continue;
            place.move(pageOf(given, each.next), false);
            left = each.next;
          } else if ("back" in each) {
            const offset = Math.min(each.back, given);
            place.move(pageOf(given - offset, offset + each.more, offset), true);
            left = each.more;
          } else {
            const at = place.describe(null, never);
            place = create(size, { ...at } as Parameters<typeof createPlace>[2]);
            left = 0;
          }
          expect(place.items()).toBe(given);
          const { anchor, items } = place.describe(null, never);
          expect({ anchor, items }).toEqual({ anchor: keysOf(given - size, given), items: given });
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("a page costs the same, however many items it has", () => {
  const readsOf = (items: number): number => {
    let reads = 0;
    const item = {
      get id() {
        return ++reads;
      },
    };
    const place = create(5);
    for (let page = 0; page < 10; page++) {
      const all = Array.from({ length: items }, () => item);
      place.move({ ...pageOf(0, items), items: all }, false);
      place.give(items);
    }
    place.describe(null, never);
    return reads;
  };
  expect(readsOf(1_000)).toBe(readsOf(20));
});

test("there is nothing to seek before the first item, or in a page that is read from its start", () => {
  const place = create(3);
  expect(place.seekInList()).toBeUndefined();
  place.move(pageOf(0, 4), false);
  expect(place.seekInList()).toBeUndefined();
  expect(place.seekInPage(0)).toBeUndefined();
  place.give(2);
  expect(place.seekInList()?.find(list)).toBe(2);
  expect(place.seekInPage(1)?.find(list.slice(1))).toBe(1);
});

test("the place after a whole page is the next page; within a page, or on the last one, it is an offset", () => {
  const place = create(3);
  expect(place.describe("start", never)).toMatchObject({ cursor: "start", offset: 0 });
  place.move(pageOf(0, 4), false);
  place.give(3);
  expect(place.describe("start", never)).toMatchObject({ cursor: "at 0", offset: 3 });
  place.give(1);
  expect(place.describe("start", never)).toMatchObject({ cursor: "next", offset: 0 });
  place.move({ ...pageOf(4, 2), cursor: undefined }, false);
  place.give(2);
  expect(place.describe("start", never)).toMatchObject({ cursor: "at 4", offset: 2 });
});

test("the place before a repeated cursor stays on its page, so that the next walk notices the loop too", () => {
  const place = create(3);
  place.move(pageOf(0, 2), false);
  place.give(2);
  const seen = { has: (cursor: string) => cursor === "next" };
  expect(place.describe(null, seen)).toMatchObject({ cursor: "at 0", offset: 2 });
});
