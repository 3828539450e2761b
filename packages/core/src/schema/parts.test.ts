import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import {
  bigInteger,
  count,
  decodeLeniently,
  guess,
  hideSecrets,
  isFieldName,
  isGuess,
  openEnum,
  record,
  redact,
  secret,
  sensitive,
} from "./index.ts";
import { isSecret } from "../secret.ts";

// What is said of a part of a value holds in each form in which a schema may have that part.

const WRAPPED: Readonly<Record<string, (schema: z.core.$ZodType) => z.core.$ZodType>> = {
  optional: (schema) => z.optional(schema),
  nullable: (schema) => z.nullable(schema),
  readonly: (schema) => z.readonly(schema),
  default: (schema) => z._default(schema as z.ZodMiniType, "x"),
  prefault: (schema) => z.prefault(schema as z.ZodMiniType, "x"),
  // oxlint-disable-next-line promise/valid-params -- zod's catch, not a promise's
  catch: (schema) => z.catch(schema as z.ZodMiniType, "x" as never),
  nonoptional: (schema) => z.nonoptional(schema as z.ZodMiniType),
  lazy: (schema) => z.lazy(() => schema),
};

describe.each(Object.entries(WRAPPED))("of a part that is %s", (kind, wrap) => {
  const Tank = record({ id: z.string(), token: secret() });

  test("what it holds is shown, and its secrets are hidden", () => {
    const schema = record({ tank: wrap(Tank), name: wrap(z.string()) });
    const wire = { tank: { id: "one", token: "canary", other: "canary" }, name: "two" };
    const shown = redact(schema, wire) as { tank: Record<string, unknown>; name: unknown };
    expect(shown).toEqual({
      tank: { id: "one", token: "[redacted]", other: "[undeclared]" },
      name: "two",
    });
    const hidden = hideSecrets(schema, wire) as typeof shown;
    expect(isSecret(hidden.tank["token"])).toBe(true);
    expect(hidden.tank["id"]).toBe("one");
  });

  test("a record that does not fit keeps its secrets", () => {
    const schema = record({ tank: wrap(Tank), wrong: z.int() });
    const wire = { tank: { id: 1, token: "canary" }, wrong: "x" };
    const { tank } = decodeLeniently(schema, wire) as { tank: Record<string, unknown> };
    if (kind !== "catch") expect([tank["id"], isSecret(tank["token"])]).toEqual([1, true]);
    else expect(JSON.stringify(tank)).not.toContain("canary");
  });

  test("a guess in it is one", () => {
    const schema = record({ tank: wrap(record({ size: guess(z.int()), id: z.int() })) });
    const { error } = z.safeParse(schema, { tank: { size: "x", id: "y" } });
    for (const issue of error?.issues ?? [])
      expect(isGuess(schema, issue)).toBe(issue.path.at(-1) === "size");
    expect(error === undefined).toBe(kind === "catch");
  });
});

test.each([
  ["unknown", z.unknown()],
  ["any", z.any()],
])("a part of the type %s is as open as what nobody declared", (_type, schema) => {
  const shown = redact(record({ open: schema, list: z.array(schema), id: z.string() }), {
    open: { name: "canary" },
    list: ["canary"],
    id: "one",
  });
  expect(JSON.stringify(shown)).not.toContain("canary");
  expect(shown).toMatchObject({ id: "one" });
});

test("a tuple is judged by its items, and what follows them by its rest", () => {
  const items = z.tuple([z.string(), sensitive("personal", z.string())], z.string());
  expect(redact(items, ["a", "canary", "b"])).toEqual(["a", "[redacted]", "b"]);
});

test("an intersection is judged by the side that names the field", () => {
  const named = record({ name: sensitive("personal", z.string()) });
  const sided = (left: z.core.$ZodType, right: z.core.$ZodType) =>
    redact(z.intersection(left, right), { name: "canary", id: "one" });
  const other = record({ id: z.string() });
  for (const shown of [sided(named, other), sided(other, named)])
    expect(shown).toEqual({ name: "[redacted]", id: "one" });
});

test.each([
  ["a", true],
  ["dev_eui", true],
  ["$ref-1", true],
  ["_x", true],
  ["A1b2c3", true],
  ["a1b2c3d4", false],
  ["1a", false],
  ["-a", false],
  ["a b", false],
  ["a.b", false],
  ["", false],
  ["a".repeat(40), true],
  ["a".repeat(41), false],
])("%s reads like the name of a field: %s", (name, isOne) => {
  expect(isFieldName(name)).toBe(isOne);
});

test("the documents show a count as an integer, and the known words of an open enum", () => {
  const shown = (schema: z.core.$ZodType) => z.toJSONSchema(schema, { unrepresentable: "any" });
  expect(shown(count())).toMatchObject({ type: "integer" });
  expect(shown(openEnum("one", "two"))).toMatchObject({ type: "string", examples: ["one", "two"] });
});

test.each<[() => z.core.$ZodType, unknown, string]>([
  [secret, 7, "Invalid input: expected string, received number"],
  [bigInteger, "1.5", "expected an integer"],
  [bigInteger, 2 ** 53, "expected an integer"],
  [bigInteger, "1".repeat(1_001), "expected an integer"],
  [count, 2 ** 53, "expected an integer"],
  [count, "1", "expected an integer"],
])("what does not fit is named: %#", (schema, value, message) => {
  z.config(z.locales.en());
  try {
    expect(z.safeParse(schema(), value).error?.issues).toMatchObject([{ message, path: [] }]);
  } finally {
    z.config({ localeError: undefined });
  }
});

test("an integer has a thousand digits at most", () => {
  expect(z.parse(bigInteger(), `-${"1".repeat(1_000)}`)).toBe(-BigInt("1".repeat(1_000)));
});
