import { afterEach, describe, expect, test, vi } from "vitest";
import type { ClientOptions } from "../src/index.ts";
import { createThings, thing } from "./things.ts";

const KEY = "canary-key";
const ok = async (): Promise<Response> => Response.json([thing]);

/** Creates a client with the globals of another runtime. */
function create(globals: Record<string, unknown>, options: Partial<ClientOptions> = {}): unknown {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  try {
    // In other tests, clients of things have their own fetch. This one uses the platform's.
    return createThings({ fetch: undefined, ...options, apiKey: KEY });
  } finally {
    vi.unstubAllGlobals();
  }
}

afterEach(() => vi.unstubAllGlobals());

const page = { window: {}, document: {}, process: undefined };

describe("a client with a credential in a web page", () => {
  test("is rejected with advice and without the credential", () => {
    const make = (): unknown => create(page);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(/Make the call in a back-end.*dangerouslyAllowBrowser: true/);
    expect(make).not.toThrow(KEY);
  });

  test("is rejected even if a bundler polyfills `process`", () => {
    expect(() => create({ ...page, process: { env: {}, versions: {} } })).toThrow(TypeError);
    expect(() => create({ ...page, process: { env: {} } })).toThrow(TypeError);
  });

  test.for<[string, Partial<ClientOptions>]>([
    ["dangerouslyAllowBrowser", { dangerouslyAllowBrowser: true }],
    ["a custom fetch", { fetch: ok }],
    ["a base URL on loopback", { baseUrl: "http://localhost:8080" }],
  ])("is created with %s", ([, options]) => {
    expect(() => create(page, options)).not.toThrow();
  });

  test("is rejected with any other value of dangerouslyAllowBrowser", () => {
    expect(() => create(page, { dangerouslyAllowBrowser: "yes" as never })).toThrow(TypeError);
  });
});

test.for<[string, Record<string, unknown>]>([
  ["a worker, such as workerd", { window: undefined, document: undefined, process: undefined }],
  ["a version of Deno with a window", { window: {}, document: undefined, process: undefined }],
  ["Node or Bun with jsdom", { window: {}, document: {} }],
])("a client with a credential is created in %s", ([, globals]) => {
  expect(() => create(globals)).not.toThrow();
});
