import fc from "fast-check";
import { expect, test } from "vitest";
import { equalText } from "./equal-text.ts";

test.each([
  ["ab", "ab"],
  ["ab", "ac"],
  ["bb", "ab"],
  ["ab", "abc"],
  ["abc", "ab"],
  ["", ""],
  ["", "a"],
  ["a", ""],
  ["\0", ""],
  ["", "\0"],
  // The low byte is the same, the character is not.
  ["ġ", "!"],
])("compares %j with %j", (a, b) => {
  expect(equalText(a, b)).toBe(a === b);
});

test("returns what === returns, for any strings", () => {
  const text = fc.string({ unit: "binary", maxLength: 3 });
  fc.assert(fc.property(text, text, (a, b) => equalText(a, b) === (a === b)));
  fc.assert(fc.property(fc.string(), (a) => equalText(a, a.split("").join(""))));
});
