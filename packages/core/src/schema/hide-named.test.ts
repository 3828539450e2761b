import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { isSecret, Secret } from "../secret.ts";
import { count, hideNamed, record, secret, sensitive } from "./index.ts";

/** Returns the value with each Secret as `[secret …]`, so that tests can compare it. */
function shown(value: unknown): unknown {
  if (isSecret(value)) return `[secret ${value.reveal()}]`;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each)]));
}

const wire = { app_key: "k", deep: [{ token: "t", size: 1 }] };
const hidden = { app_key: "[secret k]", deep: [{ token: "[secret t]", size: 1 }] };

describe("hideNamed hides what the list names, wherever any value may stand:", () => {
  test.each<[string, z.core.$ZodType | undefined, unknown, unknown]>([
    ["without a schema", undefined, wire, hidden],
    ["undeclared fields of a record", record({ id: z.string() }), wire, hidden],
    ["an unknown value", record({ data: z.unknown() }), { data: wire }, { data: hidden }],
    ["any value", record({ data: z.any() }), { data: wire }, { data: hidden }],
    ["a map of any values", z.record(z.string(), z.unknown()), wire, hidden],
    ["a map of strings", z.record(z.string(), z.string()), { token: "t" }, { token: "[secret t]" }],
    ["a list of any values", z.array(z.unknown()), [wire], [hidden]],
    ["a tuple", z.tuple([record({}), z.unknown()]), [wire, wire], [hidden, hidden]],
    ["a union", z.union([z.string(), record({ id: z.string() })]), wire, hidden],
    ["an intersection", z.intersection(record({}), record({ id: z.string() })), wire, hidden],
    ["a wrapped record", z.optional(z.nullable(record({}))), wire, hidden],
    ["a lazy record", z.lazy(() => record({})), wire, hidden],
    ["personal records", sensitive("personal", record({ id: z.string() })), wire, hidden],
    ["a list in place of a record", record({}), [wire], [hidden]],
    ["a record in place of a list", z.array(record({})), wire, hidden],
  ])("%s", (_place, schema, value, expected) => {
    expect(shown(hideNamed(schema, value))).toEqual(expected);
  });

  test("a number, a list and a record each become one secret with its JSON", () => {
    const value = { pin: 4321, tokens: ["a", "b"], credentials: { user: "u" }, ki: 2n ** 64n };
    expect(shown(hideNamed(undefined, value))).toEqual({
      pin: "[secret 4321]",
      tokens: '[secret ["a","b"]]',
      credentials: '[secret {"user":"u"}]',
      ki: "[secret 18446744073709551616]",
    });
  });

  test("a part that is hidden already keeps its Secrets", () => {
    const key = new Secret("k");
    expect(shown(hideNamed(undefined, { credentials: { key, open: "o", none: null } }))).toEqual({
      credentials: { key: "[secret k]", open: "[secret o]", none: null },
    });
    expect(hideNamed(undefined, { key })).toEqual({ key });
  });
});

test("a declared field stays as it is, whatever its name and type", () => {
  const schema = record({
    token: z.string(),
    signature: z.unknown(),
    pin: count(),
    key: z.union([z.string(), z.int()]),
    app_key: secret(),
    either: z.union([record({ code: z.string() }), record({ token: z.string() })]),
  });
  const value = {
    token: "t",
    signature: { token: "hidden" },
    pin: 1,
    key: "k",
    app_key: new Secret("s"),
    either: { token: "t" },
  };
  expect(shown(hideNamed(schema, value))).toEqual({
    ...value,
    signature: { token: "[secret hidden]" },
    app_key: "[secret s]",
  });
});

test("in the record of an integration and in a request, the address and the headers are hidden too", () => {
  const open = { url: "u", headers: { a: "b" }, qs: "q", url_params: [1] };
  const closed = {
    url: "[secret u]",
    headers: '[secret {"a":"b"}]',
    qs: "[secret q]",
    url_params: "[secret [1]]",
  };
  const integration = record({ name: z.string(), credentials: z.unknown() });
  expect(shown(hideNamed(integration, { name: "n", ...open }))).toEqual({ name: "n", ...closed });
  for (const parent of ["req", "request", "integration", "integrations"])
    expect(shown(hideNamed(record({}), { [parent]: [{ deep: open }] }))).toEqual({
      [parent]: [{ deep: closed }],
    });
  expect(hideNamed(record({}), open)).toBe(open);
});

test.each(["name", "key", "header"])(
  "the value of a pair is hidden if its %s is that of a secret",
  (label) => {
    const pairs = (text: string) => [{ [label]: "authorization", value: text, [`${label}_2`]: 1 }];
    const open = [
      { [label]: "content-type", value: "v" },
      { value: "v" },
      { [label]: 7, value: 8 },
    ];
    const result = JSON.stringify(hideNamed(undefined, { list: [pairs("canary"), open] }));
    expect(result).not.toContain("canary");
    expect(result.match(/"value":("v"|8)/g)).toHaveLength(3);
  },
);

test("flags, missing values and the metadata of the user stay", () => {
  const value = { has_pin: true, token: null, key: undefined, metadata: { token: "mine" } };
  expect(hideNamed(undefined, value, { keepsMetadata: true })).toBe(value);
});

test("what has nothing to hide is returned itself, and what has is copied on the way to it only", () => {
  const value = { a: { deep: [1, new Date(0)] }, b: { token: "t" } };
  const result = hideNamed(record({}), value) as typeof value;
  expect(result.a).toBe(value.a);
  expect(value.b.token).toBe("t");
  expect(hideNamed(record({}), value.a)).toBe(value.a);
});
