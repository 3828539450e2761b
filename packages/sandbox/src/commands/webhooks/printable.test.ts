import { expect, test } from "vitest";
import { printable } from "./describe-delivery.ts";

const LONGEST = 300;

test.each([
  ["an escape sequence", "a\u001B[31mb", "a[31mb"],
  ["line breaks and tabs", "one\r\ntwo\tthree\n", "onetwothree"],
  ["a mark that reverses the direction", "abc\u202Edef", "abcdef"],
  ["an invisible space", "a\u200Bb", "ab"],
  ["blanks, accents and emoji, which are kept", " é  日本 😀 ", " é  日本 😀 "],
  ["nothing", "", ""],
])("%s", (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("a long string is cut to 300 characters, after the control characters are removed", () => {
  expect(printable("x".repeat(LONGEST))).toHaveLength(LONGEST);
  expect(printable(`\n${"x".repeat(LONGEST)}y`)).toBe("x".repeat(LONGEST));
});
