import { expect, test } from "vitest";
import * as z from "../zod.ts";
import { compiled, countRecords, decodeLeniently, isDrift, limited } from "./index.ts";
import { driftIssue } from "./index.ts";
import { formOf, guess, markOf, partial, record, secret, seen, shown } from "./index.ts";

const schema = record({
  id: z.int(),
  active: shown(z.boolean()),
  profile: shown(z.nullable(z.string())),
  region: seen(z.nullish(z.string())),
  heard: seen(shown(z.nullable(z.string()))),
  copies: seen(shown(z.optional(z.int()))),
  size: guess(z.nullish(z.int())),
});
const whole = { id: 1, active: true, profile: null, region: "EU", heard: null, copies: 1, size: 1 };

/** The path and the message of each difference, and whether it is drift. */
const differences = (value: unknown, of: z.core.$ZodType = schema) =>
  (z.safeDecode(of, value as never).error?.issues ?? []).map((issue) => [
    issue.path.join("."),
    issue.code === "custom" ? issue.message : issue.code,
    isDrift(of, issue),
  ]);

test.each([
  ["active", undefined, [["active", "is missing", true]]],
  ["active", null, [["active", "is null", true]]],
  ["active", "yes", [["active", "invalid_type", false]]],
  ["profile", undefined, [["profile", "is missing", true]]],
  ["profile", null, []],
  ["profile", 7, [["profile", "invalid_type", false]]],
  ["region", undefined, []],
  ["region", null, []],
  ["region", 7, [["region", "invalid_type", false]]],
  ["heard", undefined, [["heard", "is missing", true]]],
  ["heard", null, []],
  ["copies", undefined, []],
  ["copies", null, [["copies", "is null", true]]],
  ["copies", "1", [["copies", "invalid_type", false]]],
  ["size", undefined, []],
  ["size", "7", [["size", "invalid_type", true]]],
  ["id", undefined, [["id", "invalid_type", false]]],
] as const)("%s: %s", async (field, value, expected) => {
  await countRecords(300);
  const { [field]: _, ...others } = whole;
  for (const received of [{ ...whole, [field]: value }, ...(value === undefined ? [others] : [])])
    for (const variant of [schema, limited(schema), compiled(limited(schema))])
      expect(differences(received, variant)).toEqual(expected);
});

test("an absent field is reported beside an error, in a list, and never in another record", async () => {
  await countRecords(300);
  const list = z.array(schema);
  for (const variant of [limited(list), compiled(limited(list))])
    expect(
      differences([{ id: "1" }, whole, { ...whole, active: null, id: "1" }, 7, null], variant),
    ).toEqual([
      ["0.id", "invalid_type", false],
      ["0.active", "is missing", true],
      ["0.profile", "is missing", true],
      ["0.heard", "is missing", true],
      ["2.id", "invalid_type", false],
      ["2.active", "is null", true],
      ["3", "invalid_type", false],
      ["4", "invalid_type", false],
    ]);
});

test("of two differences at one place, only the first is reported", () => {
  const twice = record({ a: z.int(), b: shown(z.int()) }).check(
    ({ issues }) => void issues.push(driftIssue(["a"], "is odd")),
  );
  expect(differences({ a: "1" }, limited(twice))).toEqual([
    ["a", "invalid_type", false],
    ["b", "is missing", true],
  ]);
});

test("a union has the member whose only differences are drift", () => {
  const union = z.union([record({ kind: z.literal("a"), size: shown(z.int()) }), schema]);
  expect(differences({ kind: "a" }, union)).toEqual([["size", "is missing", true]]);
  expect(formOf(schema._zod.def.shape.heard)).toMatchObject({ type: "nullable" });
});

test("a shown secret stays a secret in a record with drift, and a partial record has no shown fields", () => {
  const device = record({ app_key: shown(secret()), name: shown(z.string()) });
  const decoded = decodeLeniently(device, { app_key: "0011" }) as { app_key: unknown };
  expect(String(decoded.app_key)).not.toContain("0011");
  expect(differences({}, partial(device))).toEqual([]);
  expect([markOf(schema._zod.def.shape.active), markOf(schema._zod.def.shape.region)]).toEqual([
    "shown",
    "seen",
  ]);
});
