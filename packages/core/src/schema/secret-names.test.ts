import * as z from "zod/mini";
import { expect, test } from "vitest";
import { record, secret, sensitive } from "./index.ts";
import { secretNames } from "./secret-names.ts";

const pin = secret();
const inner = record({ pin, open: z.string() });
interface Tree {
  pin: unknown;
  children: Tree[];
}
const tree: z.ZodMiniType<Tree> = z.object({
  pin,
  get children() {
    return z.array(tree);
  },
}) as never;
const endless: z.core.$ZodType = z.lazy(() => z.union([z.array(endless), inner]));

test.for<[string, z.core.$ZodType, string[]]>([
  ["a record", inner, ["pin"]],
  ["a record in a record", record({ a: record({ b: inner }) }), ["pin"]],
  ["a field that may be missing or null", record({ key: z.nullish(pin) }), ["key"]],
  ["a list", z.array(inner), ["pin"]],
  ["a list of secrets", record({ codes: z.array(pin) }), ["codes"]],
  ["a map", z.record(z.string(), inner), ["pin"]],
  ["a map of secrets", record({ codes: z.record(z.string(), pin) }), ["codes"]],
  ["a tuple", z.tuple([z.string(), inner]), ["pin"]],
  ["a tuple of secrets", record({ pair: z.tuple([z.string(), pin]) }), ["pair"]],
  ["a union", z.union([z.string(), inner, record({ key: pin })]), ["key", "pin"]],
  ["a union of secrets", record({ code: z.union([z.number(), pin]) }), ["code"]],
  ["both sides of an intersection", z.intersection(inner, record({ key: pin })), ["key", "pin"]],
  [
    "the start of a pipe",
    z.pipe(
      inner,
      z.transform(() => 1),
    ),
    ["pin"],
  ],
  [
    "the end of a pipe",
    z.pipe(
      z.transform(() => 1),
      record({ key: pin }) as never,
    ),
    ["key"],
  ],
  ["one schema under two names", record({ a: pin, b: pin }), ["a", "b"]],
  ["a recursive record", tree, ["pin"]],
  ["an infinitely nested list", endless, ["pin"]],
])("secretNames finds the names of secret fields in %s", ([, schema, names]) => {
  expect([...secretNames(schema)].sort()).toEqual(names);
});

test.for<[string, z.core.$ZodType]>([
  ["a record without secrets", record({ a: z.string(), b: z.int() })],
  ["a record with personal fields", record({ email: sensitive("personal", z.string()) })],
  ["a secret without a name", pin],
  ["a list of secrets without a name", z.array(pin)],
  ["an unknown value", z.unknown()],
])("secretNames finds no name in %s", ([, schema]) => {
  expect([...secretNames(schema)]).toEqual([]);
});
