import fc from "fast-check";
import * as z from "zod/mini";
import { expect, test } from "vitest";
import { stringifyJson } from "./internal.ts";
import {
  bigInteger,
  decodeLeniently,
  guess,
  hideNamed,
  limited,
  record,
  redact,
  secret,
} from "./schema/index.ts";
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
