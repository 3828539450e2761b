import { expect, test } from "vitest";
import { isNewestFirst } from "./newest-first.ts";

test.each([
  [[], true],
  [[5], true],
  [[5, 3, 3, 1], true],
  [[5, 3, 4], false],
  [[1, 2], false],
])("the times %j are in the order of a list with the newest item first: %s", (times, expected) => {
  expect(isNewestFirst(times)).toBe(expected);
});
