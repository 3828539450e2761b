import { expect, test } from "vitest";
import { isAccepted } from "./history.ts";

test.each([
  [undefined, false],
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [500, false],
])("whether the status %s accepts a delivery: %s", (status, expected) => {
  expect(isAccepted(status)).toBe(expected);
});
