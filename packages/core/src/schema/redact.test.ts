import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { Secret } from "../secret.ts";
import {
  createSecretCheck,
  record,
  redact,
  scrub,
  secret,
  sensitive,
  type WhyHidden,
} from "./index.ts";
import * as fc from "fast-check";

const codec = { decode: () => ({ a: "" }), encode: () => "" };

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));

describe("redact finds a sensitive field in", () => {
  const text = secret();
  test.for<[string, z.core.$ZodType, unknown]>([
    ["a field with a further rule", record({ a: mark().check(z.minLength(3)) }), { a: "canary" }],
    [
      "an intersection",
      z.intersection(record({ a: text }), record({ b: text })),
      { a: "canary", b: "canary" },
    ],
    ["a tuple", z.tuple([z.string(), text]), ["shown", "canary"]],
    ["a catchall", z.catchall(z.object({}), text), { any: "canary" }],
    ["a default", record({ a: z._default(text, "canary" as never) }), { a: "canary" }],
    // oxlint-disable-next-line promise/valid-params -- zod's catch, not a promise's
    ["a catch", record({ a: z.catch(text, "canary" as never) }), { a: "canary" }],
    [
      "a transformed record",
      z.pipe(
        record({ a: text }),
        z.transform((value) => value),
      ),
      { a: "canary" },
    ],
    ["a compiled schema", z.compile(record({ a: text })), { a: "canary" }],
  ])("%s", ([, schema, value]) => {
    expect(shown(redact(schema, value))).not.toContain("canary");
    expect(shown(redact(schema, value))).toContain("[redacted]");
  });

  function mark(): z.ZodMiniString<string> {
    return sensitive("personal", z.string());
  }
});

test("redact hides strings in a map, and everything in a value of unknown type", () => {
  const schema = record({
    headers: z.record(z.string(), z.string()),
    counts: z.record(z.string(), z.int()),
    body: z.unknown(),
    any: z.any(),
  });
  const value = {
    headers: { authorization: "canary", accept: "canary" },
    counts: { received: 5, "4f2a99c1": 6 },
    body: { apiKey: "canary", token: "canary" },
    any: [{ otp: "canary" }],
  };
  expect(redact(schema, value)).toEqual({
    headers: { authorization: "[undeclared]", accept: "[undeclared]" },
    counts: { received: 5, "[undeclared]": 6 },
    body: "[undeclared]",
    any: "[undeclared]",
  });
});

/** Field names as various systems write them: of keys, of personal data, and of things that no list would name. */
const undeclared = `
  api_key apiKey appSKey nwk_s_key accessToken pin otp activationCode phone_number emailAddress
  first_name headers url_params downlink_url monkey zip note name_of_pet rx
`;

test.for(undeclared.trim().split(/\s+/))("redact hides an undeclared %s with any value", (name) => {
  const schema = record({ id: z.int() });
  for (const value of ["canary", 271828, true, { any: "canary" }, ["canary"]])
    expect(redact(schema, { id: 1, [name]: value })).toEqual({ id: 1, [name]: "[undeclared]" });
  expect(redact(schema, { [name]: null })).toEqual({ [name]: null });
  expect(redact(undefined, { [name]: "canary" })).toBe("[undeclared]");
});

test("redact shows an undeclared livemode, created_at and updated_at, in their forms only", () => {
  const open = z.catchall(z.object({}), z.optional(sensitive("personal", z.unknown())));
  const shownValues = {
    livemode: false,
    created_at: "2026-11-20T08:00:00.000Z",
    updated_at: "2026-11-20T08:00:00",
  };
  const hiddenValues = { livemode: "canary", created_at: "canary", updated_at: { a: "canary" } };
  for (const schema of [record({ id: z.int() }), open]) {
    expect(redact(schema, shownValues)).toEqual(shownValues);
    expect(shown(redact(schema, hiddenValues))).not.toContain("canary");
  }
  const declared = record({ created_at: secret() });
  expect(redact(declared, shownValues)).toHaveProperty("created_at", "[redacted]");
});

test.for(["2B7E151628AED2A6", "ada@example.com", "00:04:a3:0b", "LPA:1$a.test$3", "x".repeat(41)])(
  "redact hides the undeclared field name %s, which is a value",
  (name) => {
    expect(redact(record({ id: z.int() }), { id: 1, [name]: 1 })).toEqual({
      id: 1,
      "[undeclared]": "[undeclared]",
    });
  },
);

test("redact shows declared fields that are not sensitive, from any member of a union", () => {
  const schema = z.union([
    z.string(),
    record({ a: z.string(), both: z.int() }),
    record({ b: z.array(z.date()), both: z.bigint() }),
  ]);
  for (const value of [
    "text",
    { a: "x", both: 1 },
    { b: [new Date(0)], both: 2n },
    { a: "x", b: [] },
  ])
    expect(redact(schema, value)).toEqual(value);
  expect(redact(schema, { a: "x", c: "canary" })).toEqual({ a: "x", c: "[undeclared]" });
});

test("redact applies the record's schema to a list in place of a record, and the other way round", () => {
  const one = record({ a: z.string(), key: secret() });
  const value = { a: "shown", key: "canary" };
  const hidden = { a: "shown", key: "[redacted]" };
  expect(redact(one, [value])).toEqual([hidden]);
  expect(redact(z.array(one), value)).toEqual(hidden);
});

test("scrub replaces each whole string, number and name that contains a secret", () => {
  const holdsSecret = createSecretCheck(["canary-key", "271828"]);
  const value = {
    a: "x CANARY-KEY y",
    "canary-key": [1, 271_828, 271_828n],
    b: [{ c: "shown" }],
    n: null,
  };
  expect(scrub(value, holdsSecret)).toEqual({
    a: "[redacted]",
    "[redacted]": [1, "[redacted]", "[redacted]"],
    b: [{ c: "shown" }],
    n: null,
  });
});

describe("a value of 100,000 levels causes no stack overflow", () => {
  const nest = (innermost: unknown, wrap: (value: unknown) => unknown): unknown => {
    let value = innermost;
    for (let level = 0; level < 100_000; level++) value = wrap(value);
    return value;
  };
  const inList = (value: unknown): unknown => [value];
  const inRecord = (value: unknown): unknown => ({ a: value });
  const depthOf = (value: unknown): number => JSON.stringify(value).split(/[[{]/).length;

  test("redact hides undeclared values, and reports each string in them", () => {
    const told: string[] = [];
    const value = { more: nest("canary", inList), a: nest("raven", inRecord) };
    const schema = record({ a: z.optional(z.string()) });
    expect(redact(schema, value, (text) => told.push(text))).toEqual({
      more: "[undeclared]",
      a: "[undeclared]",
    });
    expect(told.toSorted()).toEqual(["canary", "raven"]);
  });

  test("redact shows 100 levels of lists in place of a record, and of a recursive schema", () => {
    const told: string[] = [];
    const Tree = record({
      get a() {
        return z.optional(Tree);
      },
    }) as z.core.$ZodType;
    for (const value of [nest("canary", inList), nest({ a: "canary" }, inRecord)]) {
      const copy = redact(Tree, value, (text) => told.push(text));
      expect(JSON.stringify(copy)).toContain('"[too deep]"');
      expect(depthOf(copy)).toBeLessThan(110);
      const scrubbed = scrub(value, () => false);
      expect(JSON.stringify(scrubbed)).toContain('"[too deep]"');
      expect(depthOf(scrubbed)).toBeLessThan(110);
    }
    expect(told).toEqual(["canary", "canary"]);
  });

  test("a circular value causes no stack overflow either", () => {
    const value: Record<string, unknown> = { key: "canary" };
    value["self"] = value;
    const told: string[] = [];
    expect(redact(undefined, value, (text) => told.push(text))).toBe("[undeclared]");
    expect(told).toEqual(["canary"]);
  });
});

describe("redact", () => {
  const told = (schema: z.core.$ZodType | undefined, value: unknown) => {
    const hidden: [string, WhyHidden][] = [];
    const shownValue = redact(schema, value, (text, why) => hidden.push([text, why]));
    return { shown: shownValue, hidden };
  };

  test("reports every string and number that it hides, and why", () => {
    const schema = record({ pin: secret(), note: z.string() });
    expect(told(schema, { pin: "1234", note: "n", more: "undeclared text" })).toEqual({
      shown: { pin: "[redacted]", note: "n", more: "[undeclared]" },
      hidden: [
        ["1234", "sensitive"],
        ["undeclared text", "undeclared"],
      ],
    });
    expect(told(schema, { pin: new Secret("1234") }).hidden).toEqual([["1234", "sensitive"]]);
    expect(told(undefined, { pin: new Secret("1234") })).toEqual({
      shown: "[undeclared]",
      hidden: [["1234", "undeclared"]],
    });
    expect(told(undefined, new Secret("1234"))).toEqual({
      shown: "[redacted]",
      hidden: [["1234", "sensitive"]],
    });
  });

  test("reports numbers of six or more digits, because shorter ones occur in every date", () => {
    const value = [100_000, 99_999, 100_000n, 99_999n, 12345678901234567890n, 1e21, true, -1, null];
    expect(told(undefined, value).hidden.map(([text]) => text)).toEqual([
      "100000",
      "100000",
      "12345678901234567890",
      "1e+21",
    ]);
  });

  test.for<[string, z.core.$ZodType, unknown, unknown]>([
    ["an undeclared undefined", record({}), { a: undefined }, { a: undefined }],
    ["null", record({ a: z.string() }), { a: null }, { a: null }],
    ["a literal", z.literal("a"), "a", "a"],
    ["one of several values", z.enum(["a", "b"]), "b", "b"],
    ["a template literal", z.templateLiteral(["v", z.number()]), "v1", "v1"],
    ["a date", z.date(), new Date(0), new Date(0)],
    ["a record in place of a string", z.string(), { a: "x" }, "[undeclared]"],
    ["a list in place of a string", z.string(), ["x"], "[undeclared]"],
    ["a string in place of a record", record({ a: z.string() }), "x", "[undeclared]"],
    ["a tuple that is too long", z.tuple([z.string()]), ["a", "b"], ["a", "[undeclared]"]],
    ["an open record", z.object({ a: z.int() }), { a: 1, b: 2 }, { a: 1, b: "[undeclared]" }],
    [
      "an undeclared field in a union",
      z.union([record({ a: z.int() }), z.string()]),
      { b: 1 },
      { b: "[undeclared]" },
    ],
    ["any other field of a declared type", z.catchall(z.object({}), z.int()), { b: 2 }, { b: 2 }],
  ])("shows the declared part of %s", ([, schema, value, expected]) => {
    expect(redact(schema, value)).toEqual(expected);
  });

  test("shows the record form, not the string form, of a value that is sent as a string and read as a record", () => {
    const lazy = z.codec(z.string(), record({ a: z.string() }), codec);
    expect(redact(lazy, { a: "x" })).toEqual({ a: "x" });
    expect(redact(lazy, "canary")).toBe("[undeclared]");
    const either = z.codec(z.string(), z.union([z.unknown(), record({ a: z.string() })]), codec);
    expect(redact(either, "canary")).toBe("[undeclared]");
  });
});

const bytes = (text: string): Buffer => Buffer.from(text);
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => bytes(text).toString("hex"),
  (text) => bytes(text).toString("base64"),
  (text) => bytes(text).toString("base64url"),
  (text) => text.replaceAll(/[^]/g, (each) => `%${each.charCodeAt(0).toString(16)}`),
];
const form = fc.constantFrom(...FORMS);
// The characters differ: the check ignores a run of one character.
const key = fc
  .array(
    fc.constantFrom(...Array.from("abcdefghijkmnopqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789")),
    {
      minLength: 16,
      maxLength: 40,
    },
  )
  .map((characters) => characters.join(""))
  .filter((text) => new Set(text.toLowerCase()).size > 8);
const around = fc.string({ maxLength: 30 }).map((text) => `${text} `);

test("the check finds any eight characters of a secret, in every form and at every position", () => {
  fc.assert(
    fc.property(key, form, around, fc.nat(), (text, write, before, at) => {
      const start = at % (text.length - 7);
      const holdsSecret = createSecretCheck([text]);
      expect(holdsSecret(`${before}${write(text.slice(start, start + 8))} no`)).toBe(true);
    }),
  );
});

test("scrub removes every part of a secret from any JSON, and changes nothing else", () => {
  fc.assert(
    fc.property(key, form, fc.jsonValue(), (text, write, json) => {
      const holdsSecret = createSecretCheck([text]);
      const written = write(text);
      const scrubbed = scrub(
        { json, [written]: [written], in: { text: `of ${written}` } },
        holdsSecret,
      );
      expect(JSON.stringify(scrubbed)).not.toContain(written);
      if (!holdsSecret(JSON.stringify(json)))
        expect((scrubbed as { json: unknown }).json).toEqual(json);
    }),
  );
});
