import { expect, test } from "vitest";
import { loadWindows, saveWindows, withInfinity, withoutInfinity } from "./saved.ts";

test.each<[unknown, unknown]>([
  [Infinity, null],
  [-Infinity, -Infinity],
  [0, 0],
  ["text", "text"],
  [true, true],
  [undefined, undefined],
  [
    [1, Infinity, [Infinity]],
    [1, null, [null]],
  ],
  [
    { rate: Infinity, deep: { list: [Infinity, { more: Infinity }], text: "a" } },
    { rate: null, deep: { list: [null, { more: null }], text: "a" } },
  ],
  [{}, {}],
  [[], []],
])("Infinity is null in JSON, at any depth, and is read again: %j", (value, json) => {
  expect(withoutInfinity(value as object)).toStrictEqual(json);
  expect(withInfinity(json as object)).toStrictEqual(value);
});

test("a null is left as it is on the way to JSON", () => {
  expect(withoutInfinity({ none: null, list: [null] })).toStrictEqual({ none: null, list: [null] });
});

test("what senders have sent is saved in order, and loaded again", () => {
  const windows = new Map([
    ["10.0.0.1", { ends: 60_000, count: 3 }],
    ["10.0.0.2", { ends: 90_000, count: 1 }],
  ]);
  const saved = saveWindows(windows);
  expect(saved).toEqual([
    ["10.0.0.1", 60_000, 3],
    ["10.0.0.2", 90_000, 1],
  ]);
  expect(loadWindows(saved)).toEqual(windows);
  expect(loadWindows(undefined)).toEqual(new Map());
});
