import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { isSecret } from "../secret.ts";
import { bigInteger, decodeLeniently, guess, record, secret, sensitive } from "./index.ts";

/** Returns the value with each Secret as `[secret …]`, so that tests can compare it. */
function shown(value: unknown): unknown {
  if (isSecret(value)) return `[secret ${value.reveal()}]`;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each)]));
}

const wrong = { wrong: z.int() };
const isWrong = { wrong: "x" };

describe("a lenient decoding", () => {
  const decoded = (schema: z.core.$ZodType | undefined, value: unknown) =>
    shown(decodeLeniently(schema, value));

  test("returns zod's output for a valid value, defaults included", () => {
    const schema = z.object({ size: z._default(z.int(), 5), balance: bigInteger() });
    expect(decoded(schema, { balance: 7, other: 1 })).toEqual({ size: 5, balance: 7n });
  });

  test.each<[string, z.core.$ZodType, unknown, unknown]>([
    ["a field", record({ ...wrong, n: bigInteger() }), { ...isWrong, n: 5 }, { ...isWrong, n: 5n }],
    [
      "an optional record",
      record({ inner: z.optional(record({ ...wrong, n: bigInteger() })) }),
      { inner: { ...isWrong, n: 5 } },
      { inner: { ...isWrong, n: 5n } },
    ],
    ["a list", z.array(bigInteger()), [5, "x", 6], [5n, "x", 6n]],
    ["a tuple", z.tuple([z.int(), bigInteger()]), ["x", 5], ["x", 5n]],
    ["a map", z.record(z.string(), bigInteger()), { a: "x", b: 5 }, { a: "x", b: 5n }],
    [
      "the fields of a catchall",
      z.catchall(z.object(wrong), bigInteger()),
      { ...isWrong, a: 5 },
      { ...isWrong, a: 5n },
    ],
    [
      "both parts of an intersection",
      z.intersection(record({ ...wrong, a: bigInteger() }), record({ b: bigInteger() })),
      { ...isWrong, a: 5, b: 6 },
      { ...isWrong, a: 5n, b: 6n },
    ],
    [
      "a codec",
      z.codec(z.custom<unknown>(), z.array(bigInteger()), {
        decode: (value) => [value] as never,
        encode: (value) => value,
      }),
      "x",
      ["x"],
    ],
    [
      "a single record in place of a list",
      z.array(record({ ...wrong, n: bigInteger() })),
      { ...isWrong, n: 5 },
      { ...isWrong, n: 5n },
    ],
  ])("converts the valid parts next to invalid ones: %s", (_, schema, value, expected) => {
    expect(decoded(schema, value)).toEqual(expected);
  });

  test("returns values without a schema unchanged", () => {
    const value = { a: [1, null] };
    expect(decodeLeniently(undefined, value)).toBe(value);
    expect(decoded(record({ ...wrong, open: z.unknown() }), { ...isWrong, open: value })).toEqual({
      ...isWrong,
      open: value,
    });
  });

  test.each([null, undefined])("does not wrap a secret that is %s", (nothing) => {
    const schema = record({ ...wrong, key: secret(), deep: record({ key: secret() }) });
    const value = { ...isWrong, key: nothing, deep: nothing, moved: { key: nothing } };
    expect(decoded(schema, value)).toEqual(value);
  });

  test("wraps any value in the place of a secret in a Secret", () => {
    const schema = record({ ...wrong, key: secret() });
    expect(decoded(schema, { key: 7 })).toEqual({ key: "[secret 7]" });
    expect(decoded(schema, { key: { a: [1] } })).toEqual({ key: '[secret {"a":[1]}]' });
    expect(decoded(schema, { ...isWrong, key: "k" })).toEqual({ ...isWrong, key: "[secret k]" });
  });

  test("does not hide personal data, which is not secret", () => {
    const schema = record({ email: sensitive("personal", z.int()) });
    expect(decoded(schema, { email: "a@b" })).toEqual({ email: "a@b" });
  });

  describe("chooses the member of a union", () => {
    const cat = record({ kind: z.literal("cat"), lives: bigInteger(), name: z.string() });
    const dog = record({ kind: z.literal("dog"), lives: z.int(), name: z.string() });

    test.each([
      ["first", z.union([cat, dog])],
      ["last", z.union([dog, cat])],
    ])("with the fewest errors, also if it is the %s", (_, union) => {
      expect(decoded(union, { kind: "cat", lives: 9, name: 1 })).toEqual({
        kind: "cat",
        lives: 9n,
        name: 1,
      });
      expect(decoded(union, { kind: "dog", lives: 9, name: 1 })).toMatchObject({ lives: 9 });
    });

    test("with wrong guesses only, before one that violates the contract", () => {
      const guessed = record({
        lives: bigInteger(),
        a: guess(z.int()),
        b: guess(z.int()),
        c: guess(z.int()),
      });
      const other = record({ lives: z.int(), d: z.int() });
      const value = { lives: 9, a: "x", b: "x", c: "x" };
      for (const union of [z.union([guessed, other]), z.union([other, guessed])])
        expect(decoded(union, value)).toMatchObject({ lives: 9n });
    });
  });
});
