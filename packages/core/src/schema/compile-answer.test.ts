import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { bigInteger, compileAnswer, firstOf, oneOrMany, record, secret } from "./index.ts";

const reward = record({ type: z.literal("reward"), amount: bigInteger(), hash: z.string() });
const refund = record({ type: z.literal("refund"), amount: bigInteger().nullish() });
const other = record({ type: z.string(), amount: z.unknown() });

/** Accepts null and makes something of it, so that nothing may be skipped before it. */
const yesOrNo = z.codec(z.null(), z.literal("no"), {
  decode: () => "no" as const,
  encode: () => null,
});
/** Says by an issue that it cannot convert. */
const even = z.codec(z.number(), z.string(), {
  decode: (value, context) => {
    if (value % 2 !== 0)
      context.issues.push({ code: "custom", input: value, message: "must be even" });
    return String(value);
  },
  encode: Number,
});

const schemas: Record<string, z.ZodType> = {
  "a record without conversions": record({ type: z.string(), hash: z.string().optional() }),
  "a record with conversions": reward,
  "a field that may be missing": record({ amount: bigInteger().optional() }),
  "a field that may be null": record({ amount: bigInteger().nullable() }),
  "a field that may be both": record({
    amount: bigInteger().nullish(),
    secret: secret().nullish(),
  }),
  "null that is converted": record({ type: yesOrNo.optional(), amount: yesOrNo.nullish() }),
  "an issue of a codec": record({ amount: even }),
  "an outcome that does not fit": record({
    amount: z.codec(z.number(), z.string().max(2), { decode: String, encode: Number }),
  }),
  "a list of records": z.array(reward),
  "a union of records that convert": record({ data: z.array(z.union([reward, refund, other])) }),
  "a union by discriminator": z.discriminatedUnion("type", [reward, refund]),
  "exactly one of two": z.xor([record({ amount: bigInteger() }), record({ hash: z.string() })]),
  "one or many": oneOrMany(reward),
  "one or many, or nothing": record({ data: oneOrMany(refund).optional() }),
  "the first of many": firstOf(reward),
  "a rule of a record that converts": record({ data: reward }).refine(
    ({ data }) => data.amount > 1n,
  ),
  "a rule of a record above a union": record({ data: z.union([reward, refund]) }).refine(
    ({ data }) => typeof data.amount === "bigint",
  ),
  "a closed record": z.strictObject({ type: z.string(), amount: bigInteger() }),
  "a record that drops": z.object({ type: z.string(), amount: bigInteger() }),
  "text that is trimmed": record({ type: z.string().trim(), amount: bigInteger() }),
  "a default": record({ type: z.string().default("reward"), amount: bigInteger().nullish() }),
  "a conversion at the top": bigInteger(),
  "a record of anything": z.record(z.string(), reward),
};

const scalar = fc.oneof(
  fc.constantFrom(null, undefined, "reward", "refund", "", " x ", "7", true),
  fc.nat(5),
  fc.double(),
  fc.bigInt(),
);
const item = fc.oneof(
  scalar,
  fc.record(
    { type: scalar, amount: scalar, hash: scalar, secret: scalar, "new field": scalar },
    { requiredKeys: [] },
  ),
  fc.record({ type: fc.constantFrom("reward", "refund"), amount: fc.nat(), hash: fc.string() }),
);
const answer = fc.oneof(
  item,
  fc.array(item, { maxLength: 3 }),
  fc.record({ data: fc.oneof(item, fc.array(item, { maxLength: 3 })), more: scalar }),
);

const REWARD = { type: "reward", amount: 5, hash: "h" };
/** Each schema takes one of these at least. */
const fitting: unknown[] = [
  REWARD,
  { type: null, amount: null },
  { amount: 4 },
  { type: "reward", amount: 5 },
  [REWARD],
  { data: REWARD },
  { data: [REWARD, { type: "refund" }] },
  { data: { type: "refund" } },
  5,
];

describe("a compiled answer is what the schema says", () => {
  test.for(Object.entries(schemas))("%s", ([, schema]) => {
    const decode = compileAnswer(schema);
    const compare = (value: unknown): boolean => {
      const expected = z.safeDecode(schema, value as never);
      expect(decode(structuredClone(value))).toEqual(expected.success ? expected.data : z.INVALID);
      return expected.success;
    };
    expect(fitting.filter(compare)).not.toEqual([]);
    fc.assert(
      fc.property(answer, (value) => void compare(value)),
      { numRuns: 2_000 },
    );
  });
});

test("undeclared fields stay, and so does the order of all", () => {
  const decoded = compileAnswer(reward)({
    b: 1,
    hash: "h",
    amount: 5,
    a: { c: 2 },
    type: "reward",
  });
  expect(Object.entries(decoded as object)).toEqual([
    ["b", 1],
    ["hash", "h"],
    ["amount", 5n],
    ["a", { c: 2 }],
    ["type", "reward"],
  ]);
});

test("records without conversions are handed over as they came", () => {
  const value = { data: [{ type: "a" }] };
  expect(compileAnswer(record({ data: z.array(record({ type: z.string() })) }))(value)).toBe(value);
});
