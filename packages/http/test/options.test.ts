import { canaries } from "../../../tools/canaries/canaries.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Secret } from "@fieldmesh/core";
import { readSettings } from "../src/options/settings.ts";
import { createThings, errorOf, thing } from "./things.ts";

const ok = async (): Promise<Response> => Response.json([thing]);

/** Returns the message and the stack of the TypeError that creating a client throws. */
function messageOf(options: Parameters<typeof createThings>[0]): string {
  try {
    createThings(options);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message + String((error as Error).stack);
  }
  throw new Error("the options were expected to be refused");
}

test.for<[string, string, string]>([
  ["a line break at the end", "canary-key\n", "contains a line break"],
  ["a space inside", "canary key", "contains a space"],
  ["Bearer in front", "Bearer canary-key", 'begins with "Bearer "'],
  ["an empty value", "", "is empty"],
  ["the word undefined", "undefined", "is the word undefined"],
  ["quotes", '"canary-key"', "is in quotes"],
  ["a placeholder", "${CANARY_KEY}", "is a placeholder"],
  ["a letter that no header accepts", "canary-kéy", "contains a character that no key has"],
])("rejects a credential with %s, and does not show it", ([, apiKey, message]) => {
  expect(messageOf({ apiKey })).toContain(`apiKey ${message}`);
  expect(messageOf({ apiKey })).not.toMatch(/canary/);
  expect(messageOf({ apiKey: new Secret(apiKey) as never })).not.toMatch(/canary/);
});

test.for<[string, string]>([
  ["https://things.test/?key=canary", "must not contain a query or fragment"],
  ["https://things.test/#canary", "must not contain a query or fragment"],
  ["http://things.test", "is plain http://"],
  ["http://localhost.evil.test", "is plain http://"],
  ["ftp://things.test", "must begin with https://"],
  ["things.test", "is not a URL"],
  ["", "is empty. Is the environment variable set?"],
  ["undefined", "is the word undefined"],
  ['"https://things.test"', "is in quotes"],
  ["${THINGS_URL}", "is a placeholder"],
])("rejects the base URL %s", ([baseUrl, message]) => {
  expect(messageOf({ baseUrl })).toContain(`baseUrl ${message}`);
  expect(messageOf({ baseUrl })).not.toMatch(/canary/);
});

test("requires a base URL", () => {
  expect(messageOf({ baseUrl: undefined as never })).toContain("baseUrl is required");
});

test.for([
  "http://localhost:1234",
  "http://127.0.0.1",
  "http://127.9.8.7",
  "http://[::1]:80",
  "http://a.localhost",
  "https://things.test/prefix/",
  new URL("https://things.test"),
])("accepts the base URL %s", (baseUrl) => {
  expect(() => createThings({ baseUrl })).not.toThrow();
});

test("accepts plain http:// with allowInsecureHttp", () => {
  expect(() =>
    createThings({ baseUrl: "http://things.test", allowInsecureHttp: true }),
  ).not.toThrow();
  expect(messageOf({ baseUrl: "http://things.test" })).toContain("allowInsecureHttp: true");
});

test("the options of a call override those of the client", async () => {
  const slow = (): Promise<Response> =>
    new Promise((resolve) => setTimeout(() => resolve(Response.json([thing])), 60));
  const things = createThings({ fetch: slow, timeout: 10, retry: false });
  expect((await errorOf(things.list())).name).toBe("TimeoutError");
  expect(await things.list({ timeout: 1_000 })).toEqual([thing]);
});

test("fetch receives the URL as a string and redirect: manual, so that any implementation works", async () => {
  const seen: unknown[] = [];
  const things = createThings({
    fetch: async (url, init) => {
      seen.push([
        url,
        init.method,
        init.redirect,
        init.body,
        init.signal instanceof AbortSignal,
        init.headers.get("key"),
      ]);
      return Response.json(thing, { status: 201 });
    },
  });
  await things.create({ name: "one" });
  expect(seen).toEqual([
    ["https://things.test/v1/things", "POST", "manual", '{"name":"one"}', true, canaries.apiKey],
  ]);
});

test("each request looks up the global fetch, so that a mock can be installed later", async () => {
  const things = createThings({ baseUrl: "https://things.test" });
  const original = globalThis.fetch;
  globalThis.fetch = ok as never;
  try {
    expect(await things.list()).toEqual([thing]);
  } finally {
    globalThis.fetch = original;
  }
});

test("the default timeout allows a list that takes the server seconds", () => {
  const { timeout, totalTimeout, maxResponseBytes } = readSettings({
    baseUrl: "https://things.test",
  });
  expect({ timeout, totalTimeout }).toEqual({ timeout: 30_000, totalTimeout: 120_000 });
  expect(maxResponseBytes).toBe(128 * 1024 * 1024);
});

test("the doc comment states the default number of attempts that the code uses", () => {
  const { attempts } = readSettings({ baseUrl: "https://things.test" });
  const read = (path: string): string => readFileSync(join(import.meta.dirname, path), "utf8");
  expect(read("../src/options/client-options.ts")).toContain(
    `   * @default ${attempts}\n   */\n  attempts?:`,
  );
});

test("creating a client in an outdated runtime throws", () => {
  const withResolvers = Promise.withResolvers.bind(Promise);
  Object.assign(Promise, { withResolvers: undefined });
  try {
    expect(messageOf({})).toContain(
      `fieldmesh needs Node 22.12 or later, or another runtime of 2024 or later, and this is Node ${process.version}.`,
    );
  } finally {
    Object.assign(Promise, { withResolvers });
  }
});
