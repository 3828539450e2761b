import { expect, test } from "vitest";
import { checkInteger } from "./check-integer.ts";

test("returns an integer in the range, both ends included", () => {
  expect(checkInteger("attempts", 1, 1, 20)).toBe(1);
  expect(checkInteger("attempts", 20, 1, 20)).toBe(20);
});

test.each<[number, string]>([
  [0, "0"],
  [21, "21"],
  [1.5, "1.5"],
  [Number.NaN, "NaN"],
  [Infinity, "Infinity"],
  ["3" as never, "a string"],
  [null as never, "null"],
])("rejects %s", (value, given) => {
  expect(() => checkInteger("attempts", value, 1, 20)).toThrow(
    new TypeError(`attempts must be an integer from 1 to 20; it is ${given}.`),
  );
});

test("names the unit", () => {
  expect(() => checkInteger("timeout", 0.5, 1, 20, "milliseconds")).toThrow(
    "timeout must be an integer from 1 to 20, in milliseconds; it is 0.5.",
  );
});

test("accepts a range without an upper end", () => {
  expect(checkInteger("limit", 10_000, 1)).toBe(10_000);
  expect(() => checkInteger("limit", 0, 1)).toThrow("limit must be an integer from 1 up; it is 0.");
});
