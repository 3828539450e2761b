import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { isSecret, Secret } from "../secret.ts";
import {
  bigInteger,
  count,
  createSecretCheck,
  decodeLeniently,
  firstOf,
  oneOrMany,
  openEnum,
  record,
  redact,
  scrub,
  secret,
  secretInput,
  sensitive,
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

describe("redact", () => {
  const Agent = record({ user_id: z.string(), email: sensitive("personal", z.string()) });

  test("hides the fields that the registry marks, in the wire form and in the decoded form", () => {
    const hidden = { ...wire, app_key: "[redacted]", extra: "[undeclared]" };
    expect(redact(Device, wire)).toEqual(hidden);
    expect(redact(Device, z.decode(Device, wire))).toEqual({ ...hidden, balance: 5n });
    expect(
      redact(record({ agent: z.nullish(Agent) }), { agent: { user_id: "u", email: "canary@x" } }),
    ).toEqual({ agent: { user_id: "u", email: "[redacted]" } });
  });

  test("hides fields in lists, maps, unions, codecs and lazy schemas", () => {
    const schema = record({
      list: z.array(Device),
      map: z.record(z.string(), secret()),
      union: z.union([record({ a: z.string() }), record({ b: secret() })]),
      many: oneOrMany(Device),
      lazy: z.lazy(() => Device),
    });
    const value = {
      list: [wire],
      map: { k: "canary-2" },
      union: { b: "canary-3" },
      many: wire,
      lazy: wire,
    };
    expect(
      JSON.stringify(redact(schema, value), (_, each: unknown) =>
        typeof each === "bigint" ? String(each) : each,
      ),
    ).not.toContain("canary");
  });

  test("hides undeclared fields with any name and value", () => {
    const value = { ...wire, token: "canary", deep: [{ api_key: "canary" }], count: 1, none: null };
    expect(redact(Device, value)).toEqual({
      ...wire,
      app_key: "[redacted]",
      extra: "[undeclared]",
      token: "[undeclared]",
      deep: "[undeclared]",
      count: "[undeclared]",
      none: null,
    });
  });

  test("hides a value of the wrong type, too", () => {
    expect(redact(Device, { app_key: { odd: ["canary"] } })).toEqual({ app_key: "[redacted]" });
  });

  test("reports the values that it hid, so that they can be hidden elsewhere", () => {
    const hidden: string[] = [];
    redact(Device, { ...wire, nwk_key: new Secret("canary-2") }, (text) => hidden.push(text));
    expect(hidden).toEqual(["canary-1", "canary-2"]);
    const value = { text: "a canary-1 b", "canary-2": ["canary-1canary-2"], n: 1 };
    expect(scrub(value, createSecretCheck(hidden))).toEqual({
      text: "[redacted]",
      "[redacted]": ["[redacted]"],
      n: 1,
    });
  });
});

describe("decodeLeniently", () => {
  test("converts the fields that match and returns the rest unchanged", () => {
    const decoded = decodeLeniently(z.array(Device), [
      { ...wire, id: "one" },
      "odd",
      { ...wire, balance: "many" },
    ]) as Record<string, unknown>[];
    expect(decoded[0]).toMatchObject({ id: "one", balance: 5n, extra: { kept: true } });
    expect(decoded[1]).toBe("odd");
    expect(decoded[2]).toMatchObject({ id: 1, balance: "many" });
    expect([decoded[0], decoded[2]].every((each) => isSecret(each?.["app_key"]))).toBe(true);
  });

  test("wraps a secret of any type in a Secret, and adds none for a missing field", () => {
    const decoded = decodeLeniently(Device, { app_key: ["canary"], nwk_key: null }) as Record<
      string,
      unknown
    >;
    expect(isSecret(decoded["app_key"])).toBe(true);
    expect(decoded["nwk_key"]).toBeNull();
  });

  test("turns one record into a list although one of its fields does not match", () => {
    const [first] = decodeLeniently(oneOrMany(Device), { ...wire, id: "x" }) as Record<
      string,
      unknown
    >[];
    expect(first?.["id"]).toBe("x");
    expect(isSecret(first?.["app_key"])).toBe(true);
  });

  test("chooses the member of a union with the fewest problems", () => {
    const union = z.union([
      record({ a: z.int(), key: secret() }),
      record({ b: z.int(), c: z.int() }),
    ]);
    expect(
      isSecret(
        (decodeLeniently(union, { a: "x", key: "canary" }) as Record<string, unknown>)["key"],
      ),
    ).toBe(true);
  });
});
