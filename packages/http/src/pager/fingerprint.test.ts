import { expect, test } from "vitest";
import { fingerprint, keyOf } from "./fingerprint.ts";

test("an item is named by its key fields, whatever else it holds", () => {
  const key = keyOf({ id: 1, name: "one" }, ["id"]);
  expect(keyOf({ id: 1, name: "uno" }, ["id"])).toBe(key);
  expect(keyOf({ id: 2, name: "one" }, ["id"])).not.toBe(key);
});

test("one key field that is there is enough", () => {
  const fields = ["id", "height"];
  const key = keyOf({ height: 7, name: "one" }, fields);
  expect(keyOf({ height: 7, id: null, name: "uno" }, fields)).toBe(key);
  expect(keyOf({ height: 8, name: "one" }, fields)).not.toBe(key);
});

test.each([[["id"]], [undefined], [[]]])(
  "an item without its key fields %o is named by all of it",
  (fields) => {
    const key = keyOf({ name: "one" }, fields);
    expect(keyOf({ name: "one" }, fields)).toBe(key);
    expect(keyOf({ name: "two" }, fields)).not.toBe(key);
    expect(keyOf(12n, fields)).not.toBe(keyOf(13n, fields));
  },
);

test("anything but a record has no fields", () => {
  expect(keyOf("ab", ["length"])).not.toBe(keyOf("cd", ["length"]));
  expect(keyOf(["a"], ["name"])).not.toBe(keyOf(["b"], ["name"]));
  expect(keyOf(null, ["id"])).toBe(keyOf(undefined, ["id"]));
});

test("a hash is short, and contains nothing of the string", () => {
  const texts = Array.from({ length: 1_000 }, (_, index) => `canary-${index}`);
  const hashes = texts.map(fingerprint);
  expect(new Set(hashes).size).toBe(1_000);
  for (const hash of hashes) expect(hash).toMatch(/^[\da-z]{1,13}$/);
});
