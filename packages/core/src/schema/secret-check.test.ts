import { describe, expect, test } from "vitest";
import { createSecretCheck } from "./index.ts";

const KEY = "c4nAry-Key_8c1f/Zz";
const holdsKey = createSecretCheck([KEY]);
const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const everyCharacter = (text: string, write: (character: string) => string): string =>
  Array.from(text, write).join("");
const code = (character: string): string => character.codePointAt(0)!.toString(16);

/** Forms in which a server may repeat a value that it received. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  "as it was sent": (text) => text,
  "in lowercase": (text) => text.toLowerCase(),
  "in uppercase": (text) => text.toUpperCase(),
  "in hexadecimal digits": (text) => bytes(text).toString("hex"),
  "in uppercase hexadecimal digits": (text) => bytes(text).toString("hex").toUpperCase(),
  "in bytes with colons": (text) => bytes(text).toString("hex").match(/../g)!.join(":"),
  "in base64": (text) => bytes(text).toString("base64"),
  "in base64 of another alignment": (text) => bytes(`x${text}`).toString("base64"),
  "in base64 of the third alignment": (text) => bytes(`xy${text}z`).toString("base64"),
  "in base64url": (text) => bytes(text).toString("base64url"),
  "in base64 whose letters lost their case": (text) =>
    bytes(`x${text}`).toString("base64url").toLowerCase(),
  "in uppercase and base64": (text) => bytes(text.toUpperCase()).toString("base64"),
  "as a part of a URL": encodeURIComponent,
  "each character percent-encoded": (text) => everyCharacter(text, (each) => `%${code(each)}`),
  "percent-encoded behind a byte that is not UTF-8": (text) =>
    `%ff${everyCharacter(text, (each) => `%${code(each)}`)}`,
  "percent-encoded twice": (text) => everyCharacter(text, (each) => `%25${code(each)}`),
  "escaped as in JSON": (text) =>
    everyCharacter(text, (each) => String.raw`\u${code(each).padStart(4, "0")}`),
  "escaped as in JavaScript": (text) => everyCharacter(text, (each) => String.raw`\x${code(each)}`),
  "escaped as in HTML": (text) => everyCharacter(text, (each) => `&#x${code(each)};`),
  "escaped as in HTML, in decimal digits": (text) =>
    everyCharacter(text, (each) => `&#${each.codePointAt(0)};`),
  "with invisible characters": (text) => text.split("").join("\u200B\u0000"),
  "in wide letters": (text) =>
    everyCharacter(text, (each) => String.fromCodePoint(each.codePointAt(0)! + 0xfe_e0)),
  "in base64 and percent-encoded": (text) => encodeURIComponent(bytes(text).toString("base64")),
  "percent-encoded and in base64": (text) => bytes(encodeURIComponent(text)).toString("base64"),
  "in base64 of base64": (text) => bytes(bytes(text).toString("base64")).toString("base64"),
};

test.for(Object.entries(FORMS))("finds a secret and its parts %s", ([, write]) => {
  for (const text of [KEY, ...partsOf(KEY)]) {
    expect(holdsKey(write(text))).toBe(true);
    expect(holdsKey(`key ${write(text)}: no`)).toBe(true);
    expect(holdsKey(`"${write(text)}"`)).toBe(true);
  }
});

test.for(Object.entries(FORMS))("finds a whole secret and none of its parts %s", ([, write]) => {
  const holdsWhole = createSecretCheck([KEY], true);
  expect(holdsWhole(`key ${write(KEY)}: no`)).toBe(true);
  for (const part of partsOf(KEY)) expect(holdsWhole(write(part))).toBe(false);
});

test("a short secret that must be whole is found exactly as it is", () => {
  const holdsCode = createSecretCheck(["1234"], true);
  expect(holdsCode("code 1234")).toBe(true);
  expect(holdsCode("at 12:34")).toBe(false);
});

test.for(Object.entries(FORMS))("finds a whole six-digit code %s", ([form, write]) => {
  // In this form, the check finds only eight characters or more.
  if (form.includes("lost")) return;
  const holdsCode = createSecretCheck(["271828"]);
  expect(holdsCode(`code ${write("271828")} is wrong`)).toBe(true);
  expect(holdsCode(`code ${write("271829")} is wrong`)).toBe(false);
});

test.for(Object.entries(FORMS))("finds a name that is not ASCII %s", ([form, write]) => {
  // These forms exist for ASCII only.
  if (/wide|JSON|Java|HTML|percent-encoded( twice| behind)?$|^each|not UTF-8/.test(form)) return;
  const holdsName = createSecretCheck(["Zoë Müßiggänger"]);
  expect(holdsName(`${write("Zoë Müßiggänger")} is taken`)).toBe(true);
});

describe("does not find", () => {
  test("seven characters of a secret, in any form", () => {
    // Eight characters of base64 encode six of a secret.
    for (const [, write] of Object.entries(FORMS).filter(([form]) => !form.includes("base64")))
      expect(holdsKey(write(KEY.slice(0, 7)))).toBe(false);
  });

  test("anything in the usual messages of a service", () => {
    const secrets = [KEY, "2B7E151628AED2A6ABF7158809CF4F3C", "Ada Lovelace", "ada@site.example"];
    const holdsSecret = createSecretCheck(secrets);
    for (const text of [
      "has already been taken",
      "should be at most 50 character(s)",
      "8c9b1d2e-3f4a-4b5c-8d6e-7f8091a2b3c4",
      "0004A30B001C0530",
      "2026-11-22T12:00:00.000Z",
      "Tm90IGEgc2VjcmV0IG9mIHRoaXMgY2FsbA==",
      "",
    ])
      expect(holdsSecret(text)).toBe(false);
  });

  test("a run of zeros, as in an EUI, unless the secret consists of zeros only", () => {
    const holdsSecret = createSecretCheck(["0000000000000000A1B2C3D4E5F60718"]);
    expect(holdsSecret("0000000000000001")).toBe(false);
    expect(holdsSecret("0000000a1b2c3d4")).toBe(true);
    expect(createSecretCheck(["0".repeat(32)])(`key ${"0".repeat(32)}`)).toBe(true);
  });

  test("a secret of fewer than four characters inside another word", () => {
    const holdsSecret = createSecretCheck(["US", ""]);
    expect(holdsSecret("status")).toBe(false);
    expect(holdsSecret("in the US")).toBe(true);
  });
});

test("finds a key among any number of codes", () => {
  for (let count = 0; count < 40; count++) {
    const codes = Array.from({ length: count }, (_, index) => `${3000 + index}`);
    expect(createSecretCheck([...codes, "abcdefgh"])("key abcdefgh")).toBe(true);
    expect(codes.every((each) => createSecretCheck(codes)(`code ${each}`))).toBe(true);
  }
  expect(createSecretCheck([])("anything")).toBe(false);
});

test("finds a secret with other separators, or without them", () => {
  const holdsSecret = createSecretCheck(["+1 (555) 123-4567"]);
  expect(holdsKey(KEY.split("").join(" "))).toBe(true);
  for (const text of ["15551234567", "555.123.4567", "%2B1%20555%20123%204567"])
    expect(holdsSecret(text)).toBe(true);
});

const PIECES = [
  "%",
  String.raw`\u00`,
  "&#",
  "ab12",
  "4142",
  "QUJD",
  "a b ",
  "\u200B",
  "é",
  "%25",
  "==",
];

test.for(PIECES)("the work grows linearly with the number of %s", (piece) => {
  const secrets = Array.from({ length: 100 }, (_, index) => `${KEY}${index}`);
  for (const others of [["271828"], ["Zoë Müßiggänger"]]) {
    const holdsSecret = createSecretCheck([...secrets, ...others]);
    // The check decodes a string of more than ten thousand characters only once.
    for (const size of [2_000, 20_000]) {
      const [one, two] = [size, 2 * size].map((length) =>
        workOf(() => holdsSecret(piece.repeat(Math.ceil(length / piece.length)))),
      ) as [number, number];
      expect(one).toBeGreaterThan(size);
      expect(two).toBeLessThan(2.2 * one);
      expect(one).toBeLessThan(200 * size);
    }
  }
});

function partsOf(text: string): string[] {
  return Array.from({ length: text.length - 7 }, (_, start) => text.slice(start, start + 8));
}

/** Counts the characters that a function reads one by one, copies, or passes to a platform function. */
function workOf(run: () => unknown): number {
  let work = 0;
  const restore: (() => void)[] = [];
  const count = (
    owner: object,
    name: string,
    of: (self: string, input: string, output: string) => number,
  ): void => {
    const methods = owner as Record<string, (...args: unknown[]) => unknown>;
    const method = methods[name]!;
    methods[name] = function (this: unknown, ...args) {
      const output = Reflect.apply(method, this, args);
      work += of(this as string, args[0] as string, output as string);
      return output;
    };
    restore.push(() => void (methods[name] = method));
  };
  for (const name of [
    "replace",
    "replaceAll",
    "match",
    "matchAll",
    "toLowerCase",
    "normalize",
    "includes",
  ])
    count(String.prototype, name, ({ length }) => length);
  count(String.prototype, "slice", (_, __, { length }) => length);
  count(String.prototype, "charCodeAt", () => 1);
  count(Set.prototype, "has", () => 1);
  for (const [owner, name] of [
    [RegExp.prototype, "test"],
    [TextDecoder.prototype, "decode"],
    [globalThis, "atob"],
  ] as const)
    count(owner, name, (_, { length }) => length);
  try {
    run();
  } finally {
    for (const each of restore) each();
  }
  return work;
}

test("finds a secret whose punctuation is escaped for HTML or JSON", () => {
  const holdsSecret = createSecretCheck([`a&b<c>d"e'f/g\\h`]);
  for (const text of [
    "a&amp;b&lt;c&gt;d&quot;e&apos;f/g\\h",
    "A&AMP;B&LT;C&GT;D&QUOT;E&APOS;F/G\\H",
    "a&amp;b&lt;c&gt;d&#34;e&#39;f&#47;g&#92;h",
    String.raw`a&b<c>d\"e\'f\/g\\h`,
    String.raw`\u{61}&b\u{00003c}c>d\u{22}e'f/g\\h`,
  ])
    expect([text, holdsSecret(`(${text})`)]).toEqual([text, true]);
});
