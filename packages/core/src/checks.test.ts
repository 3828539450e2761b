import { expect, test } from "vitest";
import { wholeNumber } from "./checks.ts";

test("returns an integer in the range, both ends included", () => {
  expect(wholeNumber(1, 20)(1, "attempts")).toBe(1);
  expect(wholeNumber(1, 20)(20, "attempts")).toBe(20);
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
  expect(() => wholeNumber(1, 20)(value, "attempts")).toThrow(
    new TypeError(`attempts must be an integer from 1 to 20; it is ${given}.`),
  );
});

test("names the unit", () => {
  expect(() => wholeNumber(1, 20, "milliseconds")(0.5, "timeout")).toThrow(
    "timeout must be an integer from 1 to 20, in milliseconds; it is 0.5.",
  );
});

test("accepts a range without an upper end", () => {
  expect(wholeNumber(1)(10_000, "limit")).toBe(10_000);
  expect(() => wholeNumber(1)(0, "limit")).toThrow("limit must be an integer from 1 up; it is 0.");
});
