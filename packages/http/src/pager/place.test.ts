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

/** What happens to a walk: it gives items, goes on to the next page, begins again, or is another walk from its checkpoint. */
const step = fc.oneof(
  fc.record({ give: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ next: fc.nat(8) }),
  fc.record({ back: fc.nat(12), more: fc.nat(4) }),
  fc.constant({ resume: true }),
);

test("the anchor is always the keys of the last items that were given, whatever the pages", () => {
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

test("asking for the place reads the last items only, however many pages there were", () => {
  let reads = 0;
  const item = {
    get id() {
      return ++reads;
    },
  };
  const place = create(5);
  for (let page = 0; page < 1_000; page++) {
    place.move({ ...pageOf(0, 3), items: [item, item, item] }, false);
    place.give(3);
  }
  expect(reads).toBe(0);
  place.describe(null, never);
  expect(reads).toBeLessThanOrEqual(10);
});

test("nothing is looked for before the first item, and in a page from its start", () => {
  const place = create(3);
  expect(place.seekInList()).toBeUndefined();
  place.move(pageOf(0, 4), false);
  expect(place.seekInList()).toBeUndefined();
  expect(place.seekInPage(0)).toBeUndefined();
  place.give(2);
  expect(place.seekInList()?.find(list)).toBe(2);
  expect(place.seekInPage(1)?.find(list.slice(1))).toBe(1);
});

test("after a whole page the next one is the place; within it, or on the last one, it is its offset", () => {
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

test("a cursor that came back is not skipped, so that the next walk notices it too", () => {
  const place = create(3);
  place.move(pageOf(0, 2), false);
  place.give(2);
  const seen = { has: (cursor: string) => cursor === "next" };
  expect(place.describe(null, seen)).toMatchObject({ cursor: "at 0", offset: 2 });
});
