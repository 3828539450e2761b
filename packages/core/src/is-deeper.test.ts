import { expect, test } from "vitest";
import { isDeeper } from "./is-deeper.ts";

const nested = (levels: number): unknown =>
  JSON.parse(`${'[{"a":'.repeat(levels / 2)}1${"}]".repeat(levels / 2)}`);

test("levels of lists and objects are counted, and no other value is a level", () => {
  for (const none of [undefined, null, 1, "[[[[]]]]"]) expect(isDeeper(none, 0)).toBe(false);
  expect([isDeeper([], 0), isDeeper([], 1), isDeeper([1, {}], 1), isDeeper([1, {}], 2)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([isDeeper(nested(500), 500), isDeeper(nested(502), 500)]).toEqual([false, true]);
});
