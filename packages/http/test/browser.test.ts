import { afterEach, describe, expect, test, vi } from "vitest";
import type { ClientOptions } from "../src/index.ts";
import { createThings, thing } from "./things.ts";

const KEY = "canary-key";
const ok = async (): Promise<Response> => Response.json([thing]);

/** Makes a client where the globals are those of another runtime. */
function create(globals: Record<string, unknown>, options: Partial<ClientOptions> = {}): unknown {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  try {
    // `things` have a fetch of their own in other tests; here it is the platform's.
    return createThings({ fetch: undefined, ...options, apiKey: KEY });
  } finally {
    vi.unstubAllGlobals();
  }
}

afterEach(() => vi.unstubAllGlobals());

const page = { window: {}, document: {}, process: undefined };

describe("a client with a credential in a web page", () => {
  test("is rejected, with what to do, and without the credential", () => {
    const make = (): unknown => create(page);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(/Make the call in a back-end.*dangerouslyAllowBrowser: true/);
    expect(make).not.toThrow(KEY);
  });

  test("is rejected where a bundler fills in a `process`", () => {
    expect(() => create({ ...page, process: { env: {}, versions: {} } })).toThrow(TypeError);
  });

  test.for<[string, Partial<ClientOptions>]>([
    ["dangerouslyAllowBrowser", { dangerouslyAllowBrowser: true }],
    ["a fetch of the caller's", { fetch: ok }],
    ["a base URL on loopback", { baseUrl: "http://localhost:8080" }],
  ])("is made with %s", ([, options]) => {
    expect(() => create(page, options)).not.toThrow();
  });

  test("is rejected with any other value of dangerouslyAllowBrowser", () => {
    expect(() => create(page, { dangerouslyAllowBrowser: "yes" as never })).toThrow(TypeError);
  });
});

test.for<[string, Record<string, unknown>]>([
  ["a worker or workerd", { window: undefined, document: undefined, process: undefined }],
  ["Deno, which had a window once", { window: {}, document: undefined, process: undefined }],
  ["Node or Bun with jsdom", { window: {}, document: {} }],
])("a client with a credential is made in %s", ([, globals]) => {
  expect(() => create(globals)).not.toThrow();
});
