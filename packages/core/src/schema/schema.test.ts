import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { isSecret, Secret } from "../secret.ts";
import {
  bigInteger,
  count,
  createSecretCheck,
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
