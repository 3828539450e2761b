import * as z from "zod/mini";
import { expect, test } from "vitest";
import {
  compiled,
  countRecords,
  guess,
  isDrift,
  limited,
  record,
  contractOf,
  observed,
  redact,
  secretInput,
} from "./index.ts";

const many = (item: unknown): unknown[] => Array.from({ length: 1_000 }, () => item);
const issuesOf = (schema: z.core.$ZodType, value: unknown): z.core.$ZodIssue[] =>
  z.safeDecode(limited(schema), value as never).error?.issues ?? [];

test("a list stops after the maximum number of errors, and its last item reports all of its errors", () => {
  const issues = issuesOf(z.array(record({ id: z.int(), name: z.string() })), many({}));
  expect(issues.length).toBe(21);
  expect(issues.at(-1)?.path).toEqual([10, "id"]);
});

test("a map, a list in a field, and a list of lists stop after the maximum number of errors", () => {
  expect(
    issuesOf(z.record(z.string(), z.int()), Object.fromEntries(many("x").entries())).length,
  ).toBe(21);
  expect(issuesOf(record({ ids: z.optional(z.array(z.int())) }), { ids: many("x") }).length).toBe(
    21,
  );
  expect(issuesOf(z.array(z.array(z.int())), many(many("x"))).length).toBe(21);
});

test("a limit remains if the application has imported the whole of zod", () => {
  z.config({ memoizer: z.memoizer() });
  const schema = limited(z.array(record({ id: z.int() })));
  try {
    for (const _use of [1, 2, 3])
      expect(z.safeDecode(schema, many({}) as never).error?.issues.length).toBe(21);
  } finally {
    z.config({ memoizer: undefined });
  }
});

test("a limited list keeps its own rules", () => {
  const schema = z.array(z.int()).check(z.maxLength(3));
  expect(issuesOf(schema, [1, 2, 3])).toEqual([]);
  expect(issuesOf(schema, [1, 2, 3, 4])).toMatchObject([{ code: "too_big", path: [] }]);
});

test("an error after a thousand guesses that do not match is found", () => {
  const schema = z.array(record({ id: z.int(), size: guess(z.int()) }));
  const issues = issuesOf(schema, [...many({ id: 1 }), { id: "wrong", size: 1 }]);
  expect(issues.filter((issue) => isDrift(schema, issue)).length).toBe(21);
  expect(issues.filter((issue) => !isDrift(schema, issue))).toMatchObject([
    { path: [1_000, "id"] },
  ]);
});

test("a list whose items are guesses is checked only up to one problem more than the maximum", () => {
  for (const wrap of [(item: z.core.$ZodType) => z.array(item), mapOf]) {
    let checked = 0;
    const item = guess(z.custom(() => (checked++, false)));
    const value = Object.assign(wrap === mapOf ? {} : [], many(1));
    expect(issuesOf(wrap(item), value)).toHaveLength(21);
    expect(checked).toBe(21);
  }
});

const mapOf = (item: z.core.$ZodType): z.core.$ZodType => z.record(z.string(), item);

test("a limited schema decodes a valid value as the schema itself does, compiled or not", async () => {
  await countRecords(300);
  const schema = z.record(z.string(), z.array(record({ id: z.int() })));
  const value = { a: [{ id: 1, more: true }], b: [] };
  expect(z.decode(limited(schema), value)).toEqual(value);
  expect(z.decode(compiled(limited(schema)), value)).toEqual(value);
  expect(limited(schema)).toBe(limited(schema));
});

test.for([
  ["a list", guess(z.array(z.int())), ["x"]],
  ["a record with a list", guess(record({ list: z.array(z.int()) })), { list: ["x"] }],
] as const)(
  "%s that is a guess stays a guess, so that the search for an error continues",
  ([, drifts, value]) => {
    const items = z.array(record({ drifts, id: z.int() }));
    const wrong = [...many({ drifts: value, id: 1 }), { drifts: value, id: "x" }];
    const { error } = z.safeDecode(limited(items), wrong as never);
    expect(error?.issues.filter(({ path }) => path.includes("id"))).toHaveLength(1);
  },
);

const lower = z.codec(z.string(), z.string(), {
  decode: (text) => text,
  encode: (text) => text.toLowerCase(),
});
const name = observed(z.string().check(z.maxLength(3)), z.string());
const method = observed(lower, z.string());

test("an observed rule applies by default, and contractOf keeps only the contract", () => {
  expect(z.safeEncode(name, "long").success).toBe(false);
  expect(z.encode(contractOf(name), "long")).toBe("long");
  expect(z.safeEncode(contractOf(name), 7 as never).success).toBe(false);
});

test("contractOf also turns off the conversion of an observed rule", () => {
  expect(z.encode(method, "POST")).toBe("post");
  expect(z.encode(contractOf(method), "POST")).toBe("POST");
});

test.for<[string, z.core.$ZodType, unknown]>([
  ["a record", z.strictObject({ name }), { name: "long" }],
  ["a list of records", z.array(z.strictObject({ name })), [{ name: "long" }]],
  ["an optional field", z.strictObject({ name: z.optional(z.nullable(name)) }), { name: "long" }],
  ["a union", z.union([z.literal(7), record({ name })]), { name: "long" }],
  ["a map", z.record(z.string(), name), { any: "long" }],
  ["a codec", z.pipe(z.string(), name), "long"],
])("contractOf removes the observed rules in %s", ([, schema, value]) => {
  expect(z.safeEncode(schema, value).success).toBe(false);
  expect(z.encode(contractOf(schema), value)).toEqual(value);
});

test("contractOf keeps the other rules of the contract", () => {
  const schema = contractOf(z.strictObject({ name, id: z.guid() }));
  expect(z.safeEncode(schema, { name: "long", id: "x" }).success).toBe(false);
  expect(z.safeEncode(schema, { name: "long", nmae: 1 } as never).success).toBe(false);
});

test("a secret remains a secret with and without observed rules", () => {
  const key = observed(secretInput(z.string().check(z.length(4))), secretInput(z.string()));
  const schema = z.strictObject({ any: key });
  expect(redact(schema, { any: "canary" })).toEqual({ any: "[redacted]" });
  expect(redact(contractOf(schema), { any: "canary" })).toEqual({ any: "[redacted]" });
});
