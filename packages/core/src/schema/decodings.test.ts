import { describe, expect, test } from "vitest";
import { base64Of, decoderOf, visible, withoutSeparators } from "./decodings.ts";

const decode = (shortest: number, text: string, isAscii = true): string[] =>
  decoderOf(shortest, isAscii)(text, withoutSeparators(text.toLowerCase()));
const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

test("visible removes invisible characters and normalizes letters", () => {
  expect(visible("a\u200Bb\u0000c\u2028d\u2029")).toBe("abcd");
  expect(visible("\uFF41\uFF42 \uFB01")).toBe("ab fi");
  expect(visible("plain ~ text")).toBe("plain ~ text");
});

test("withoutSeparators keeps only the letters and digits of any script", () => {
  expect(withoutSeparators("a-B_1 :2")).toBe("aB12");
  expect(withoutSeparators("Zoë – Ключ/9")).toBe("ZoëКлюч9");
});

// Each test uses another length, because the expressions of a length are created once and cached.
describe("hexadecimal digits", () => {
  test("of the required length are decoded at both possible offsets", () => {
    expect(decode(5, "68656c6c6f")).toContain("hello");
    expect(decode(5, "168656c6c6f")).toContain("hello");
    expect(decode(5, "68:65:6C:6C:6F")).toContain("hello");
    expect(decode(5, "68656c6c")).toEqual([]);
  });

  test("of non-ASCII letters are decoded if a secret has such letters", () => {
    const digits = Buffer.from("ключи", "utf8").toString("hex");
    expect(decode(11, digits.padEnd(22, "0"), false)[0]).toContain("ключи");
  });
});

describe("base64", () => {
  test("of the required length is decoded at each possible offset", () => {
    for (const before of ["", "x", "xy", "xyz"])
      expect(decode(6, `${before}${base64("Hello, you")}`).join()).toContain("Hello, you");
  });

  test("is decoded in each run of a string", () => {
    expect(decode(13, `${base64("not this one!")} ${base64("but this one!")}`).join()).toContain(
      "but this one!",
    );
  });

  test("is decoded in its URL-safe form too", () => {
    const text = "a?~b?>c>~?";
    const url = Buffer.from(text).toString("base64url");
    expect(url).toMatch(/[-_]/);
    expect(decode(7, url)).toContain(text);
    expect(decode(7, base64(text))).toContain(text);
  });

  test("may end in the middle of a byte", () => {
    expect(decode(9, `${base64("123456789abc")}Q`)).toContain("123456789abc");
  });

  test("of non-ASCII letters is decoded if a secret has such letters", () => {
    expect(decode(10, base64("ключ доступа"), false).join()).toContain("ключ доступа");
  });

  test("of too few characters is not decoded", () => {
    expect(decode(12, base64("Hello").replaceAll("=", ""))).toEqual([]);
  });
});

describe("escapes", () => {
  test.each([
    [String.raw`\u0041\u{42}\u{000043}\x44`, "ABCD"],
    [String.raw`\"\'\\\/`, `"'\\/`],
    ["&#x41;&#66;&#X43;", "ABC"],
    ["&amp;&lt;&gt;&quot;&apos;&AMP;", `&<>"'&`],
    ["%41%42%c3%ab", "ABë"],
    ["&#x10ffff;", "\u{10FFFF}"],
    [String.raw`\u{10ffff}`, "\u{10FFFF}"],
    ["&#1114111;", "\u{10FFFF}"],
  ])("%s decodes to %s", (escaped, text) => {
    expect(decode(20, escaped)).toEqual([text]);
  });

  test.each(["&#x110000;", "&#1114112;", String.raw`\u{110000}`, "&copy;", "%zz", "none"])(
    "%s remains unchanged",
    (text) => expect(decode(20, text)).toEqual([]),
  );
});

test.each(["a", "ab", "abc", "abcd", "abcdefgh", "Zoë Müßig", "0123456789"])(
  "base64Of returns pieces that the base64 of any string with %j contains",
  (text) => {
    const bits = Buffer.byteLength(text) * 8;
    for (const [index, form] of base64Of(text).entries()) {
      for (const after of ["", "z", "zz", "\u0000", "ÿ"])
        for (const before of ["xyz", "~~~"])
          expect(base64(`${before}${"x".repeat(index)}${text}${after}`)).toContain(form);
      // All characters that depend on its own bits only.
      const begins = Math.ceil((index * 8) / 6);
      expect(form).toHaveLength(Math.max(0, Math.floor((index * 8 + bits) / 6) - begins));
    }
  },
);
