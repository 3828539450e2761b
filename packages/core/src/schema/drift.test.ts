import * as z from "zod/mini";
import { expect, test } from "vitest";
import { isSecret } from "../secret.ts";
import { decodeLeniently, guess, isDrift, partial, record, sensitive } from "./index.ts";

/** Returns the path of each issue, and whether the issue is about a guess. */
function guessed(schema: z.core.$ZodType, value: unknown): [string, boolean][] {
  const { error } = z.safeDecode(schema, value as never);
  return (error?.issues ?? []).map((issue) => [issue.path.join("."), isDrift(schema, issue)]);
}

test("a missing field differs from a guess too", () => {
  expect(guessed(record({ size: guess(z.int()) }), {})).toEqual([["size", true]]);
  expect(guessed(record({ size: guess(z.unknown()) }), {})).toEqual([["size", true]]);
});

test("an issue anywhere inside a guess is about the guess", () => {
  const schema = z.array(record({ inner: guess(record({ deep: z.array(z.int()) })) }));
  expect(guessed(schema, [{ inner: { deep: ["1"] } }, { inner: 7 }])).toEqual([
    ["0.inner.deep.0", true],
    ["1.inner", true],
  ]);
});

const inner = guess(z.int());
test.for<[string, z.core.$ZodType, unknown]>([
  ["an optional value", record({ a: z.optional(inner) }), { a: "1" }],
  ["a partial record", partial(record({ a: inner })), { a: "1" }],
  ["a map", z.record(z.string(), inner), { a: "1" }],
  ["a tuple", z.tuple([z.string(), inner]), ["a", "1"]],
  [
    "an intersection",
    z.intersection(record({ b: z.int() }), record({ a: inner })),
    { b: 1, a: "1" },
  ],
  ["a codec", z.pipe(z.custom(), record({ a: inner })), { a: "1" }],
  ["a lazy schema", z.lazy(() => record({ a: inner })), { a: "1" }],
  ["a guess with a further rule", record({ a: inner.check(z.gt(5)) }), { a: 1 }],
])("isGuess finds a guess in %s", ([, schema, value]) => {
  const found = guessed(schema, value);
  expect(found).toHaveLength(1);
  expect(found[0]?.[1]).toBe(true);
});

const bird = record({ kind: z.literal("bird"), name: z.string(), wings: guess(z.int()) });
const fish = record({ kind: z.literal("fish"), name: z.string(), fins: z.int() });

test("the intended member of a union decides whether an issue is about a guess", () => {
  const union = z.union([fish, bird]);
  expect(guessed(union, { kind: "bird", name: "b", wings: "2" })).toEqual([["", true]]);
  expect(guessed(union, { kind: "bird", name: 7, wings: "2" })).toEqual([["", false]]);
  expect(guessed(union, { kind: "fish", name: "f", fins: "2" })).toEqual([["", false]]);
});

test("a guess is a copy: the original schema remains part of the contract, and the copy remains sensitive", () => {
  const id = z.int();
  guess(id);
  expect(guessed(record({ id }), { id: "1" })).toEqual([["id", false]]);
  const key = guess(sensitive("secret", z.string()));
  const decoded = decodeLeniently(record({ key }), { key: 7 }) as { key: unknown };
  expect(isSecret(decoded.key)).toBe(true);
});

test("a violated rule of a whole union is not about a guess", () => {
  const union = z
    .union([record({ a: guess(z.int()) }), record({ b: z.int() })])
    .check(z.refine(() => false));
  expect(guessed(union, { a: 1 })).toEqual([["", false]]);
});
