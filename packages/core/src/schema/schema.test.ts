import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { isSecret, Secret } from "../secret.ts";
import {
  bigInteger,
  count,
  firstOf,
  oneOrMany,
  openEnum,
  record,
  redact,
  secret,
  secretInput,
  decodeLeniently,
  guess,
  isFieldName,
  isDrift,
} from "./index.ts";

const Device = record({
  id: z.int(),
  app_key: secret(),
  nwk_key: z.nullish(secret()),
  kind: z.optional(openEnum("a", "b")),
  balance: z.optional(bigInteger()),
});
const wire = { id: 1, app_key: "canary-1", nwk_key: null, balance: 5, extra: { kept: true } };

describe("both directions", () => {
  test("a record decodes to Secrets and bigints, keeps other fields, and encodes back to the original value", () => {
    const decoded = z.decode(Device, wire);
    expect(isSecret(decoded.app_key)).toBe(true);
    expect(decoded.balance).toBe(5n);
    expect(decoded).toHaveProperty("extra", { kept: true });
    expect(z.encode(Device, decoded)).toEqual({ ...wire, balance: 5n });
  });

  test("an input secret accepts a string or a Secret, and normalizes and checks it before it is sent", () => {
    const Key = secretInput(z.string().check(z.length(3)), (text) => text.toUpperCase());
    expect(z.encode(Key, "abc")).toBe("ABC");
    expect(z.encode(Key, new Secret("abc"))).toBe("ABC");
    expect(z.safeEncode(Key, "abcd").success).toBe(false);
    expect(z.safeEncode(Key, 7 as never).success).toBe(false);
  });

  test("an input secret without normalization is sent unchanged, and decoded as a string", () => {
    expect(z.encode(secretInput(z.string()), "aBc")).toBe("aBc");
    expect(z.decode(secretInput(z.string()), "aBc")).toBe("aBc");
    expect(z.safeEncode(secretInput(z.string()), 7 as never).error?.issues[0]?.message).toBe(
      "expected a string or a Secret",
    );
    expect(z.safeEncode(secret(), 7 as never).error?.issues[0]?.message).toBe("expected a Secret");
    expect(bigInteger().safeParse("x").error?.issues[0]?.message).toBe("expected an integer");
    expect(count().safeParse(1.5).error?.issues[0]?.message).toBe("expected an integer");
    expect([count().parse(5), count().parse(5n)]).toEqual([5, 5n]);
  });

  test.for([
    [5, 5n],
    ["12345678901234567890", 12345678901234567890n],
    [2n ** 70n, 2n ** 70n],
    ["-3", -3n],
  ] as const)("the integer %s decodes to a bigint", ([value, expected]) => {
    expect(bigInteger().parse(value)).toBe(expected);
  });

  test.for([1.5, 2 ** 60, "1.5", "", "x", null, true])(
    "%s is not accepted as an exact integer",
    (value) => {
      expect(bigInteger().safeParse(value).success).toBe(false);
    },
  );

  test("an open enum accepts any string and rejects other types", () => {
    expect(openEnum("a").parse("new")).toBe("new");
    expect(openEnum("a").safeParse(1).success).toBe(false);
  });

  test("oneOrMany returns a list, firstOf returns one record, and firstOf rejects an empty list", () => {
    const many = oneOrMany(Device);
    expect(many.parse(wire)).toHaveLength(1);
    expect(many.parse([wire, wire])).toHaveLength(2);
    expect(many.safeParse(undefined).success).toBe(false);
    const first = firstOf(Device);
    expect(first.parse([wire, { ...wire, id: 2 }]).id).toBe(1);
    expect(first.parse(wire).id).toBe(1);
    expect(first.safeParse([]).success).toBe(false);
  });
});

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
    const sent = { tank: { id: "one", token: "canary", other: "canary" }, name: "two" };
    const shown = redact(schema, sent) as { tank: Record<string, unknown>; name: unknown };
    expect(shown).toEqual({
      tank: { id: "one", token: "[redacted]", other: "[undeclared]" },
      name: "two",
    });
    const hidden = decodeLeniently(schema, sent) as typeof shown;
    expect(isSecret(hidden.tank["token"])).toBe(true);
    expect(hidden.tank["id"]).toBe("one");
  });

  test("keeps its secrets hidden if the record does not match", () => {
    const schema = record({ tank: wrap(Tank), wrong: z.int() });
    const sent = { tank: { id: 1, token: "canary" }, wrong: "x" };
    const { tank } = decodeLeniently(schema, sent) as { tank: Record<string, unknown> };
    if (kind !== "catch") expect([tank["id"], isSecret(tank["token"])]).toEqual([1, true]);
    else expect(JSON.stringify(tank)).not.toContain("canary");
  });

  test("keeps a guess recognizable", () => {
    const schema = record({ tank: wrap(record({ size: guess(z.int()), id: z.int() })) });
    const { error } = z.safeParse(schema, { tank: { size: "x", id: "y" } });
    for (const issue of error?.issues ?? [])
      expect(isDrift(schema, issue)).toBe(issue.path.at(-1) === "size");
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
