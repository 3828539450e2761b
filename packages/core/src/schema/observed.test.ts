import * as z from "zod/mini";
import { expect, test } from "vitest";
import { contractOf, observed, record, redact, secretInput } from "./index.ts";

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
