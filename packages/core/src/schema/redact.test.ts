import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { isSecret } from "../secret.ts";
import { decodeLeniently, record, redact, scrub, secret, sensitive } from "./index.ts";

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));

describe("redact finds a sensitive field in", () => {
  const text = secret();
  test.for<[string, z.core.$ZodType, unknown]>([
    [
      "a field with a description",
      record({ a: text.check(z.meta({ description: "x" })) }),
      { a: "canary" },
    ],
    ["a field with a further rule", record({ a: mark().check(z.minLength(3)) }), { a: "canary" }],
    [
      "an intersection",
      z.intersection(record({ a: text }), record({ b: text })),
      { a: "canary", b: "canary" },
    ],
    ["a tuple", z.tuple([z.string(), text]), ["shown", "canary"]],
    ["the rest of a tuple", z.tuple([z.string()], text), ["shown", "canary", "canary"]],
    ["a catchall", z.catchall(z.object({}), text), { any: "canary" }],
    ["a default", record({ a: z._default(text, "canary" as never) }), { a: "canary" }],
    // oxlint-disable-next-line promise/valid-params -- zod's catch, not a promise's
    ["what is caught", record({ a: z.catch(text, "canary" as never) }), { a: "canary" }],
    ["a refined record", record({ a: text }).check(z.refine(() => true)), { a: "canary" }],
    [
      "a transformed record",
      z.pipe(
        record({ a: text }),
        z.transform((value) => value),
      ),
      { a: "canary" },
    ],
    ["a compiled schema", z.compile(record({ a: text })), { a: "canary" }],
    ["a compiled schema that is one itself", z.compile(text), "canary"],
  ])("%s", ([, schema, value]) => {
    expect(shown(redact(schema, value))).not.toContain("canary");
    expect(shown(redact(schema, value))).toContain("[redacted]");
  });

  function mark(): z.ZodMiniString<string> {
    return sensitive("personal", z.string());
  }
});

test("keys of a map are not declared, so their names count, as inside of what is unknown", () => {
  const schema = record({
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    any: z.any(),
  });
  const value = {
    headers: { authorization: "canary", accept: "shown" },
    body: { apiKey: "canary", token: "canary" },
    any: [{ otp: "canary" }],
  };
  expect(shown(redact(schema, value))).not.toContain("canary");
  expect(shown(redact(schema, value))).toContain("shown");
});

/** Names as various systems write them: a key, a token, a code, a person. */
const hiddenNames = `
  api_key apiKey apikey appSKey nwk_s_key key accessToken pin puk2 otp pinCode activationCode
  phone_number phoneNumber email_address emailAddress contact-email e_mail msisdn
  first_name lastName
  headers Headers request_headers responseHeaders url_params downlink_url downlinkUrl downlink-url
`;

test.for(hiddenNames.trim().split(/\s+/))("an undeclared %s is hidden", (name) => {
  expect(redact(undefined, { [name]: "canary" })).toEqual({ [name]: "[redacted]" });
});

test.for(["monkey", "keyboard", "opinion", "zip", "encoder", "footprint", "microphones", "name"])(
  "an undeclared %s is shown",
  (name) => {
    expect(redact(undefined, { [name]: "shown" })).toEqual({ [name]: "shown" });
  },
);

test.for([
  "downlink_url=https://a.test/canary&name=a",
  '{"a":1,"downlink_url":"https://a.test/canary"}',
  String.raw`{\"api_key\" : \"canary\"}`,
  "authorization: Bearer canary",
])("an undeclared string is hidden that names what is sensitive: %s", (text) => {
  for (const value of [text, { req: { body: text } }, [text]])
    expect(shown(redact(undefined, value))).not.toContain("canary");
  expect(shown(redact(record({ body: z.unknown() }), { body: text }))).not.toContain("canary");
});

test.for(["The body is 5,000 bytes long: not kept.", "name=Tank 7&fcnt=5", "x".repeat(1_000_000)])(
  "an undeclared string that names nothing sensitive is shown",
  (text) => {
    expect(redact(undefined, { body: text })).toEqual({ body: text });
  },
);

test.for<[string, readonly string[], string, string]>([
  ["a string inside of another", ["canary", "canary-key"], "x canary-key y", "x [redacted] y"],
  ["strings that overlap", ["abcd", "cdef"], "x abcdef y", "x [redacted] y"],
  ["a string that overlaps itself", ["aba"], "ababa!", "[redacted]!"],
  ["a word of the replacement", ["key", "red", "act"], "key red", "[redacted] [redacted]"],
  ["strings side by side", ["ab", "cd"], "abcd", "[redacted][redacted]"],
  ["nothing", [""], "ab", "ab"],
])("scrub hides %s once", ([, texts, value, hidden]) => {
  expect(scrub(value, texts)).toBe(hidden);
  expect(scrub(value, texts.toReversed())).toBe(hidden);
});

test("a secret of several members of a union is told once, and what replaces it is not", () => {
  const told: string[] = [];
  const one = record({ key: secret() });
  redact(z.union([one, z.array(one)]), [{ key: "canary" }], (text) => told.push(text));
  expect(told).toEqual(["canary"]);
});

describe("decodeLeniently makes a Secret", () => {
  test("of an integer that JSON.stringify cannot write", () => {
    const decoded = decodeLeniently(record({ key: secret() }), { key: 2n ** 70n });
    expect(isSecret((decoded as { key: unknown }).key)).toBe(true);
  });

  test("on both sides of an intersection, and in a tuple", () => {
    const schema = record({
      both: z.intersection(record({ a: secret(), n: z.int() }), record({ b: secret() })),
      pair: z.tuple([z.int(), secret()]),
    });
    const decoded = decodeLeniently(schema, {
      both: { a: "canary", b: "canary", n: "odd" },
      pair: ["odd", "canary"],
    }) as { both: Record<string, unknown>; pair: unknown[] };
    expect(isSecret(decoded.both["a"]) && isSecret(decoded.both["b"])).toBe(true);
    expect(isSecret(decoded.pair[1])).toBe(true);
    expect(decoded.both["n"]).toBe("odd");
  });
});
