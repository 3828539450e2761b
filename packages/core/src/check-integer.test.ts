import { expect, test } from "vitest";
import { checkInteger } from "./check-integer.ts";

test("returns an integer in the range, its ends included", () => {
  expect(checkInteger("attempts", 1, 1, 20)).toBe(1);
  expect(checkInteger("attempts", 20, 1, 20)).toBe(20);
});

test.each([0, 21, 1.5, Number.NaN, Infinity, "3" as never])("rejects %s", (value) => {
  expect(() => checkInteger("attempts", value, 1, 20)).toThrow(
    new TypeError("attempts must be an integer from 1 to 20."),
  );
});

test("an upper end may be left out", () => {
  expect(checkInteger("limit", 10_000, 1)).toBe(10_000);
  expect(() => checkInteger("limit", 0, 1)).toThrow("limit must be an integer from 1 up.");
});
