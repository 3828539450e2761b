import { describe, expect, test } from "vitest";
import { createSecretCheck } from "@fieldmesh/core/internal/schema";
import { mergeRequestHeaders, redactHeaders, sensitiveValues } from "./headers.ts";

const SECRET = "k3y-8c1f-zq";
const holdsSecret = createSecretCheck([SECRET]);

describe("headers in a hook or a log", () => {
  test.each([
    "key",
    "api-key",
    "authorization",
    "cookie",
    "set-cookie",
    "x-token",
    "x-secret",
    "platform-signature",
  ])("hide the value of %s", (name) => {
    expect(redactHeaders(new Headers({ [name]: "any" }), holdsSecret)).toEqual({
      [name]: "[redacted]",
    });
    expect(sensitiveValues(new Headers({ [name]: "any" }))).toEqual(["any"]);
  });

  test.each(["x-request-id", "retry-after", "idempotency-key"])(
    "show the value of %s, unless it contains a secret",
    (name) => {
      expect(redactHeaders(new Headers({ [name]: "any" }), holdsSecret)).toEqual({ [name]: "any" });
      expect(redactHeaders(new Headers({ [name]: `a ${SECRET}` }), holdsSecret)).toEqual({
        [name]: "[redacted]",
      });
      expect(sensitiveValues(new Headers({ [name]: "any" }))).toEqual([]);
    },
  );

  test.each([
    ["location", "https://x.test/a?signature=s", "https://x.test/a?[redacted]"],
    ["location", "/a?token=t", "/a?[redacted]"],
    ["link", "<https://user:p@x.test/a>; rel=next", "<https://[redacted]@x.test/a>; rel=next"],
  ])("show an address in %s without what opens it: %s", (name, value, shown) => {
    expect(redactHeaders(new Headers({ [name]: value }), holdsSecret)).toEqual({ [name]: shown });
  });

  test("leave out a header whose name contains a secret, except a name of HTTP", () => {
    const headers = new Headers({ [`x-${SECRET}`]: "any", connection: "close" });
    expect(redactHeaders(headers, holdsSecret)).toEqual({ connection: "close" });
    expect(redactHeaders(headers, createSecretCheck(["connection"]))).toEqual({
      [`x-${SECRET}`]: "any",
      connection: "close",
    });
  });
});

describe("the user and the password of Basic authentication", () => {
  const basic = (value: string) => sensitiveValues(new Headers({ authorization: value }));
  const encoded = btoa("ada:pass");

  test.each([`Basic ${encoded}`, `basic  ${encoded}`, `BASIC ${encoded}`])(
    "are secret in %s",
    (value) => {
      expect(basic(value)).toEqual([value, "ada", "pass"]);
    },
  );

  test.each([
    `Bearer ${encoded}`,
    `Basic${encoded}`,
    `Basic ${encoded} x`,
    `Basic ${encoded},`,
    "Basic a",
    "Basic",
  ])("are not read from %s", (value) => {
    expect(basic(value)).toEqual([new Headers({ a: value }).get("a")]);
  });
});

describe("the headers of a request", () => {
  const credential = { header: "Key", option: "apiKey" } as never;
  const merge = (...layers: readonly (object | undefined)[]) =>
    mergeRequestHeaders({ userAgent: "test/1", credential, layers: layers as never });
  const errorOf = (...layers: readonly unknown[]): string => {
    try {
      merge(...(layers as object[]));
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      return (error as Error).message;
    }
    return "nothing was thrown";
  };

  test("combine all layers, and a later layer overrides an earlier one", () => {
    expect(
      Object.fromEntries(merge({ "x-a": "1", "x-b": "1" }, undefined, { "X-A": "2" })),
    ).toEqual({
      accept: "application/json, text/plain;q=0.9, */*;q=0.8",
      "user-agent": "test/1",
      "x-a": "2",
      "x-b": "1",
    });
    expect(Object.fromEntries(merge({ accept: "text/csv" }))["accept"]).toBe("text/csv");
    expect(merge({ "User-Agent": "inventory/1.4" }).get("user-agent")).toBe("inventory/1.4");
    const without = { userAgent: "test/1", credential: undefined, layers: [{ key: "any" }] };
    expect(mergeRequestHeaders(without).get("key")).toBe("any");
  });

  test.each([
    ["KEY", "headers must not set key: use apiKey."],
    [
      "Idempotency-Key",
      "headers must not set idempotency-key: use the option idempotencyKey of the calls that have it.",
    ],
    ...[
      "host",
      "content-length",
      "content-type",
      "transfer-encoding",
      "connection",
      "keep-alive",
      "upgrade",
      "expect",
      "te",
      "trailer",
    ].map((name): [string, string] => [name, `headers must not set ${name}: the client does.`]),
  ])("must not set %s", (name, message) => {
    expect(errorOf({ [name]: SECRET })).toBe(message);
  });

  test.each<[unknown, string]>([
    [{ "x-a": 7 }, "headers: x-a must be a string."],
    [{ "x a": 7 }, "headers: a name must be a string."],
    [
      { "User-Agent": " " },
      "headers: user-agent must not be empty: the ledger responds with 429 without one.",
    ],
    [
      { "x-a": `${SECRET}\nx` },
      "headers: x-a is not a valid header, or its value has a line break or a character above U+00FF.",
    ],
    [
      { [`${SECRET}:`]: "x" },
      "headers: a name is not a valid header, or its value has a line break or a character above U+00FF.",
    ],
    [new Headers(), 'headers must be a plain object, such as { "x-team": "water" }.'],
    [[["x-a", "1"]], 'headers must be a plain object, such as { "x-team": "water" }.'],
    ["x-a: 1", 'headers must be a plain object, such as { "x-team": "water" }.'],
  ])("that cannot be sent are rejected by name, without their values: %#", (layer, message) => {
    expect(errorOf(layer)).toBe(message);
  });
});
