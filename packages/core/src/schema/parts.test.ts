import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import {
  bigInteger,
  count,
  decodeLeniently,
  guess,
  isFieldName,
  isGuess,
  openEnum,
  record,
  redact,
  secret,
} from "./index.ts";
import { isSecret } from "../secret.ts";

// The rules for a part of a value apply to each kind of schema that can wrap the part.

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

describe.each(Object.entries(WRAPPED))("a part with a schema of the kind %s", (kind, wrap) => {
  const Tank = record({ id: z.string(), token: secret() });

  test("shows its fields and hides its secrets", () => {
    const schema = record({ tank: wrap(Tank), name: wrap(z.string()) });
    const wire = { tank: { id: "one", token: "canary", other: "canary" }, name: "two" };
    const shown = redact(schema, wire) as { tank: Record<string, unknown>; name: unknown };
    expect(shown).toEqual({
      tank: { id: "one", token: "[redacted]", other: "[undeclared]" },
      name: "two",
    });
    const hidden = decodeLeniently(schema, wire) as typeof shown;
    expect(isSecret(hidden.tank["token"])).toBe(true);
    expect(hidden.tank["id"]).toBe("one");
  });

  test("keeps its secrets hidden if the record does not match", () => {
    const schema = record({ tank: wrap(Tank), wrong: z.int() });
    const wire = { tank: { id: 1, token: "canary" }, wrong: "x" };
    const { tank } = decodeLeniently(schema, wire) as { tank: Record<string, unknown> };
    if (kind !== "catch") expect([tank["id"], isSecret(tank["token"])]).toEqual([1, true]);
    else expect(JSON.stringify(tank)).not.toContain("canary");
  });

  test("keeps a guess recognizable", () => {
    const schema = record({ tank: wrap(record({ size: guess(z.int()), id: z.int() })) });
    const { error } = z.safeParse(schema, { tank: { size: "x", id: "y" } });
    for (const issue of error?.issues ?? [])
      expect(isGuess(schema, issue)).toBe(issue.path.at(-1) === "size");
    expect(error === undefined).toBe(kind === "catch");
  });
});

test.each([
  ["a", true],
  ["dev_eui", true],
  ["$ref-1", true],
  ["A1b2c3", true],
  ["a1b2c3d4", false],
  ["a b", false],
  ["", false],
  ["a".repeat(40), true],
  ["a".repeat(41), false],
])("%j looks like a field name: %s", (name, isOne) => {
  expect(isFieldName(name)).toBe(isOne);
});

test("the JSON Schema shows a count as an integer, and the known values of an open enum", () => {
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
])("an issue describes the invalid value: %#", (schema, value, message) => {
  z.config(z.locales.en());
  try {
    expect(z.safeParse(schema(), value).error?.issues).toMatchObject([{ message, path: [] }]);
  } finally {
    z.config({ localeError: undefined });
  }
});

test("an integer may have at most a thousand digits", () => {
  expect(z.parse(bigInteger(), `-${"1".repeat(1_000)}`)).toBe(-BigInt("1".repeat(1_000)));
});
