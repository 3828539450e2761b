import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { compileCheck, openEnum, record, secret } from "./index.ts";

const line = record({ number: z.string().nullish(), state: openEnum("active") });
/** Refuses by a rule that the schema does not show. */
const even = z.custom<number>((value) => typeof value === "number" && value % 2 === 0);
/** Takes that there is nothing, but not that there is no field. */
const anything = z.custom();

const schemas: Record<string, z.ZodType> = {
  text: record({ a: z.string() }),
  "a number": record({ a: z.number() }),
  "true or false": record({ a: z.boolean() }),
  "a bigint": record({ a: z.bigint() }),
  null: record({ a: z.null() }),
  undefined: record({ a: z.undefined() }),
  "unknown, but there": record({ a: z.unknown() }),
  "anything, but there": record({ a: z.any(), b: anything }),
  "unknown, or not there": record({ a: z.unknown().optional() }),
  "one value": record({ a: z.literal(true), b: z.literal(["x", 0, null]).nullish() }),
  "a literal of undefined": record({ a: z.literal([undefined, "x"]) }),
  "a closed enum": record({ a: z.enum(["x", "y"]) }),
  "a rule of the author's": record({ a: even, b: even.optional() }),
  "a rule that answers with a value": record({ a: z.custom((value) => value) }),
  "text that may be missing": record({ a: z.string().optional() }),
  "text that may be missing, but not undefined": record({ a: z.string().exactOptional() }),
  "text that may be null": record({ a: z.string().nullable() }),
  "text that may be both": record({
    a: z.string().nullish(),
    b: z.nullable(z.number().optional()),
  }),
  "a record": record({ a: line, b: line.nullish() }),
  "a record that several hold": record({ b: line }),
  "a list": record({ a: z.array(z.unknown()), b: z.array(z.string()).optional() }),
  "a list of records": z.array(line),
  "a list of a fixed length": record({ a: z.array(z.unknown()).max(1) }),
  "one or the other": record({ a: z.union([z.number(), z.string()]).nullish() }),
  "one or the other, or not there": record({ a: z.union([z.number(), z.string().optional()]) }),
  "exactly one": z.xor([record({ a: z.string() }), record({ b: z.string() })]),
  "records by a type": z.discriminatedUnion("a", [
    record({ a: z.literal("x"), b: z.string() }),
    record({ a: z.literal("y"), b: z.number() }),
  ]),
  "a field with an odd name": record({ "new field": z.string(), '"]': z.string().optional() }),
  "the wire side of a secret": secret().in as z.ZodType,
  "text with a format": record({ a: z.iso.datetime() }),
  "text with a rule": record({ a: z.string().min(2) }),
  "text that is coerced": record({ a: z.coerce.string() }),
  "an integer": record({ a: z.int() }),
  "a record with a rule": record({ a: z.string() }).refine(({ a }) => a !== "x"),
  "a record that drops": z.object({ a: z.string() }),
  "a closed record": z.strictObject({ a: z.string() }),
  "text, at the top": z.string(),
};

const scalar = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    "",
    "x",
    "y",
    "2026-11-20T08:30:00Z",
    true,
    false,
    NaN,
    Infinity,
  ),
  fc.integer({ min: -2, max: 2 }),
  fc.bigInt({ min: 0n, max: 2n }),
);
const keys = ["a", "b", "number", "state", "new field", '"]'];
const object = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.dictionary(fc.constantFrom(...keys), values);
const inner = fc.oneof(scalar, object(scalar), fc.array(scalar, { maxLength: 2 }));
const value = fc.oneof(scalar, object(inner), fc.array(object(scalar), { maxLength: 2 }));

describe("a compiled check says what zod says", () => {
  test.for(Object.entries(schemas))("of %s", ([, schema]) => {
    const fits = compileCheck(schema);
    const answers = new Set<boolean>();
    fc.assert(
      fc.property(value, (each) => {
        const { success } = z.safeParse(schema, each);
        expect(fits(each)).toBe(success);
        answers.add(success);
      }),
      { numRuns: 2_000, seed: 12 },
    );
    expect(answers).toEqual(new Set([true, false]));
  });
});

test("a list is no record", () => {
  expect(compileCheck(record({ length: z.number() }))([])).toBe(false);
});

test("a record that holds itself is left to zod", () => {
  const tree = record({
    name: z.string(),
    get children() {
      return z.array(tree).optional();
    },
  });
  const fits = compileCheck(tree);
  expect(fits({ name: "a", children: [{ name: "b" }] })).toBe(true);
  expect(fits({ name: "a", children: [{ name: 1 }] })).toBe(false);
});

test("a rule that answers later is left to zod, which throws", () => {
  const later = record({ a: z.custom(async () => true) });
  expect(compileCheck(later)({ a: 1 })).toBe(false);
  expect(() => z.safeParse(later, { a: 1 })).toThrow("Promise");
});

test("what it checks stays as it is", () => {
  const wire = Object.freeze({ a: Object.freeze({ number: null, state: "x", more: 1 }) });
  expect(compileCheck(record({ a: line }))(wire)).toBe(true);
});
