import { expect, test } from "vitest";
import { createSecretCheck } from "@fieldmesh/core/internal/schema";
import { createShowText } from "./show-text.ts";

const SECRET = "k3y-8c1f-zq";
const show = createShowText(createSecretCheck([SECRET]));
const blanks = (count: number): string => " ".repeat(count);

test.each([
  ["has already been taken", "has already been taken"],
  ["Name is too long.", "Name is too long"],
  ["  blanks around \n", "blanks around"],
  ["a\u0000b\u200Bc\u2028d\u2029e\n", "abcde"],
  ["2 < 3, and 3 > 2", "2 < 3, and 3 > 2"],
  ["https://h/?t=1 is taken", "https://h/?[redacted] is taken"],
  ["amqps://u:p@h/x failed", "amqps://[redacted]@h/x failed"],
  ["/a?token=t was not found", "/a?[redacted] was not found"],
  ["antidisestablishmentarianism", "antidisestablishmentarianism"],
  ["abcdefghijklmnopqrstuv7", "abcdefghijklmnopqrstuv7"],
])("%o is shown as %o", (text, shown) => {
  expect(show(text)).toBe(shown);
});

test.each([
  undefined,
  null,
  7,
  { toString: () => "text" },
  "",
  "\u0000\u200B",
  ".",
  `wrong key ${SECRET}`,
  "<html>",
  "an <b>error</b>",
  "<?xml",
  "abcdefghijklmnopqrstuvw7",
  "key ABCDEFGH/abcdefgh+01234=",
  `${blanks(300)}${"x".repeat(150)} ${SECRET}`,
])("%o is not shown", (text) => {
  expect(show(text)).toBeUndefined();
});

test("a longer string is cut after 200 characters, and never within a character", () => {
  expect(show("x".repeat(200))).toBe("x".repeat(200));
  expect(show("x y ".repeat(51))).toBe(`${"x y ".repeat(50).slice(0, 199)}…`);
  expect(show("😀".repeat(199))).toBe("😀".repeat(199));
  const cut = show("ü😀 ".repeat(120)) ?? "";
  expect(Array.from(cut)).toHaveLength(200);
  expect(cut.isWellFormed()).toBe(true);
});

test("the next 200 characters of a longer string are checked, although they are not shown", () => {
  const words = "word ".repeat(45);
  expect(show(`${words}${SECRET}`)).toBeUndefined();
  expect(show(`${words}<script>`)).toBeUndefined();
  expect(show(`${"word ".repeat(100)}${SECRET}`)).toBe(`${words.slice(0, 199)}…`);
});

test("only 2,000 characters of a mostly invisible string are read", () => {
  expect(show(`${"\u200B".repeat(1_990)}seen`)).toBe("seen");
  expect(show(`${"\u200B".repeat(1_998)}seen`)).toBe("se");
  expect(show(`${"\u200B".repeat(2_000)}unseen`)).toBeUndefined();
});
