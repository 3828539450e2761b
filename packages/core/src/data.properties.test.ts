import fc from "fast-check";
import * as z from "zod/mini";
import { expect, test } from "vitest";
import { firstProblems, isSecret, JsonSyntaxError, parseJson, stringifyJson } from "./internal.ts";
import { dateOfStamp } from "./stamp.ts";
import {
  bigInteger,
  count,
  decodeLeniently,
  guess,
  hideNamed,
  limited,
  record,
  redact,
  scrub,
  secret,
} from "./schema/index.ts";

const blank = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 4 });
const Thing = record({
  id: z.int(),
  pin: secret(),
  size: guess(z.int()),
  amounts: z.array(bigInteger()),
  inner: z.optional(z.record(z.string(), record({ pin: secret() }))),
  either: z.optional(z.union([record({ a: z.int() }), z.array(z.int())])),
});
/** Values that nearly match the schema, and any other values. */
const junk = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      id: fc.jsonValue(),
      pin: fc.jsonValue(),
      size: fc.jsonValue(),
      amounts: fc.oneof(fc.array(fc.jsonValue(), { maxLength: 60 }), fc.jsonValue()),
      inner: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      either: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);
const CANARY = "canary-4f2a9c";

test("parseJson reads an integer of any size exactly, with any whitespace around it", () => {
  fc.assert(
    fc.property(fc.bigInt(), blank, blank, (integer, before, after) => {
      const [value] = parseJson(`[${before}${integer}${after}]`) as [number | bigint];
      expect(BigInt(value)).toBe(integer);
      expect(typeof value === "bigint").toBe(!Number.isSafeInteger(Number(integer)));
    }),
  );
});

test("parseJson reads every finite number as the same number", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(parseJson(stringifyJson({ number }))).toEqual({ number: number + 0 });
    }),
  );
});

test("parseJson reads a string unchanged, also next to a long integer", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.bigInt(), (text, integer) => {
      const [back] = parseJson(stringifyJson([text, { [`k${text}`]: integer }])) as [string];
      expect(back).toBe(text);
    }),
  );
});

test("parseJson uses the last of duplicate keys, also with long integers", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 2n ** 53n }), { minLength: 1 }), (integers) => {
      const json = `{${integers.map((integer) => `"a":${integer}`).join()}}`;
      expect(parseJson(json)).toEqual({ a: integers.at(-1) });
    }),
  );
});

test("parseJson drops __proto__ in any notation", () => {
  const letter = (char: string) =>
    fc.constantFrom(char, `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const name = fc.tuple(...Array.from("__proto__", letter)).map((parts) => parts.join(""));
  fc.assert(
    fc.property(name, fc.json(), (written, json) => {
      const value = parseJson(`{"${written}":${json},"a":[{"${written}":1}]}`);
      expect(value).toEqual({ a: [{}] });
      expect(Object.keys(value as object)).toEqual(["a"]);
    }),
  );
});

test("parseJson parses any string or throws a JsonSyntaxError that quotes none of it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        parseJson(CANARY + text);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonSyntaxError);
        expect(String(error)).not.toContain(CANARY);
      }
    }),
  );
});

test("decodeLeniently never throws, and keeps values that match no schema", () => {
  fc.assert(
    fc.property(junk, (value) => {
      const output = decodeLeniently(Thing, value);
      expect(Array.isArray(output)).toBe(Array.isArray(value));
      expect(typeof output).toBe(typeof value);
    }),
  );
});

test("a secret is never printed, in a value of any shape", () => {
  const wrap = fc.constantFrom<(value: unknown) => unknown>(
    (value) => [value],
    (value) => ({ id: "x", ...(value as object) }),
    (value) => ({ inner: { a: value } }),
    (value) => ({ other: { deep: value } }),
  );
  fc.assert(
    fc.property(fc.array(wrap, { maxLength: 3 }), junk, (wraps, other) => {
      const value = wraps.reduce<unknown>((inner, each) => each(inner), { pin: CANARY, other });
      for (const hidden of [
        hideNamed(undefined, value),
        hideNamed(Thing, decodeLeniently(Thing, value)),
      ])
        expect(stringifyJson(hidden)).not.toContain(CANARY);
      expect(JSON.stringify(redact(Thing, value))).not.toContain(CANARY);
    }),
  );
});

test("a scrubbed value contains none of the secret strings, at any position", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, before, after) => {
      const text = before + CANARY + after;
      const scrubbed = scrub({ [text]: value, list: [text, { text }] }, (each) =>
        each.includes(CANARY),
      );
      expect(JSON.stringify(scrubbed)).not.toContain(CANARY);
    }),
  );
});

test("a limited schema accepts and returns the same values as the schema itself", () => {
  fc.assert(
    fc.property(junk, (value) => {
      const whole = z.safeDecode(Thing, value as never);
      const early = z.safeDecode(limited(Thing), value as never);
      expect(early.success).toBe(whole.success);
      if (whole.success) expect(stringifyJson(early.data)).toBe(stringifyJson(whole.data));
    }),
  );
});

test("an error names at most 20 problems, and exactly 20 of a longer list", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 200 }), (wrong) => {
      const { error } = z.safeDecode(limited(z.array(z.int())), wrong as never);
      const problems = (error?.issues ?? []).map(({ path }) => ({
        path: path.join("."),
        message: "wrong",
      }));
      expect(firstProblems(problems).length).toBe(Math.min(wrong.length, 20));
    }),
  );
});

test("count and bigInteger keep the value of each integer", () => {
  fc.assert(
    fc.property(fc.bigInt(), (integer) => {
      const wire = parseJson(String(integer)) as number | bigint;
      expect(BigInt(z.decode(count(), wire))).toBe(integer);
      expect(z.decode(bigInteger(), wire)).toBe(integer);
      expect(z.decode(bigInteger(), String(integer))).toBe(integer);
    }),
  );
});

test("a secret decodes to a Secret and encodes to the same string", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const decoded = z.decode(secret(), text);
      expect(isSecret(decoded)).toBe(true);
      expect(z.encode(secret(), decoded)).toBe(text);
    }),
  );
});

test("a timestamp without a time zone is in UTC", () => {
  const years = { min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (date) => {
      const stamp = date.toISOString();
      expect(dateOfStamp(stamp)).toEqual(date);
      expect(dateOfStamp(stamp.replace("Z", ""))).toEqual(date);
      expect(dateOfStamp(stamp.replace("Z", "+00:00"))).toEqual(date);
    }),
  );
});
