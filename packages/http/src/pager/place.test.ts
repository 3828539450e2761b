import { expect, test } from "vitest";
import { fingerprint } from "@fieldmesh/core/internal";
import { keyOf } from "./key-of.ts";
import { createPlace, type Place } from "./place.ts";
import { isNewestFirst } from "./newest-first.ts";

interface Item {
  readonly id: number;
}

const never = { has: () => false };
const list = Array.from({ length: 200 }, (_, id): Item => ({ id }));
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

test("the place before a repeated cursor stays on its page, so that the next walk notices the loop too", () => {
  const place = create(3);
  place.move(pageOf(0, 2), false);
  place.give(2);
  const seen = { has: (cursor: string) => cursor === "next" };
  expect(place.describe(null, seen)).toMatchObject({ cursor: "at 0", offset: 2 });
});

test("one existing key field is enough", () => {
  const fields = ["id", "height"];
  const key = keyOf({ height: 7, name: "one" }, fields);
  expect(keyOf({ height: 7, id: null, name: "uno" }, fields)).toBe(key);
  expect(keyOf({ height: 8, name: "one" }, fields)).not.toBe(key);
});

test.each([[["id"]], [undefined], [[]]])(
  "the fingerprint of an item without its key fields %o depends on the whole item",
  (fields) => {
    const key = keyOf({ name: "one" }, fields);
    expect(keyOf({ name: "one" }, fields)).toBe(key);
    expect(keyOf({ name: "two" }, fields)).not.toBe(key);
    expect(keyOf(12n, fields)).not.toBe(keyOf(13n, fields));
  },
);

test("a hash is short, and contains no part of the string", () => {
  const texts = Array.from({ length: 1_000 }, (_, index) => `canary-${index}`);
  const hashes = texts.map(fingerprint);
  expect(new Set(hashes).size).toBe(1_000);
  for (const hash of hashes) expect(hash).toMatch(/^[\da-z]{1,13}$/);
});

test.each([
  [[], true],
  [[5], true],
  [[5, 3, 3, 1], true],
  [[5, 3, 4], false],
  [[1, 2], false],
])("the times %j are in the order of a list with the newest item first: %s", (times, expected) => {
  expect(isNewestFirst(times)).toBe(expected);
});
