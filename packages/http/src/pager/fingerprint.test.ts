import { expect, test } from "vitest";
import { fingerprint, keyOf } from "./fingerprint.ts";

test("the fingerprint of an item depends only on its key fields", () => {
  const key = keyOf({ id: 1, name: "one" }, ["id"]);
  expect(keyOf({ id: 1, name: "uno" }, ["id"])).toBe(key);
  expect(keyOf({ id: 2, name: "one" }, ["id"])).not.toBe(key);
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
