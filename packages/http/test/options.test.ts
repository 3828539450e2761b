import { expect, test, describe, afterEach, vi } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { readSettings } from "../src/options/settings.ts";
import {
  createThings,
  errorOf,
  thing,
  createThingsTransport,
  type ThingsOptions,
} from "./things.ts";
import { checkBaseUrl } from "../src/options/base-url.ts";
import {
  Secret,
  type CallError,
  type FetchFunction,
  bindClient,
  type ClientMethods,
  type Drift,
  type ClientOptions,
} from "../src/internal.ts";

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

const open = { hasCredential: false, allowInsecureHttp: false };

test.each([
  ["https://a.test", "https://a.test/"],
  ["https://a.test/", "https://a.test/"],
  ["https://a.test///", "https://a.test/"],
  ["https://a.test/b", "https://a.test/b"],
  ["https://a.test/b/", "https://a.test/b"],
  ["https://a.test/b///", "https://a.test/b"],
  ["https://a.test//b//c//", "https://a.test//b//c"],
  ["HTTP://A.test/B/", "http://a.test/B"],
])("%s becomes %s, without trailing slashes", (given, expected) => {
  expect(checkBaseUrl(given, open).href).toBe(expected);
  expect(checkBaseUrl(new URL(given), open).href).toBe(expected);
});

describe("options outside their ranges", () => {
  const make = (options: object) => () => createThings(options);

  test.each<[object, string]>([
    [{ apiKey: null }, "apiKey is missing. Pass the key, for example from process.env."],
    [{ apiKey: 7 }, "apiKey must be a string, a Secret, or a function that returns one."],
    [{ timeout: 0 }, "timeout must be an integer from 1 to 2147483647, in milliseconds; it is 0."],
    [
      { totalTimeout: 2 ** 31 },
      "totalTimeout must be an integer from 1 to 2147483647, in milliseconds; it is 2147483648.",
    ],
    [{ retry: { attempts: 21 } }, "retry.attempts must be an integer from 1 to 20; it is 21."],
    [
      { retry: { baseDelay: -1 } },
      "retry.baseDelay must be an integer from 0 to 2147483647, in milliseconds; it is -1.",
    ],
    [
      { retry: { maxDelay: 0.5 } },
      "retry.maxDelay must be an integer from 0 to 2147483647, in milliseconds; it is 0.5.",
    ],
    [{ retry: [] }, "retry must be false or an object, such as { attempts: 5 }; it is an array."],
    [{ hooks: null }, "hooks requires an object of options, such as { onRequest }, not null."],
    [{ hooks: [] }, "hooks requires an object of options, such as { onRequest }, not an array."],
    [{ hooks: { onRequst: () => {} } }, 'Did you mean "onRequest"?'],
    [{ hooks: { onResponse: "log" } }, "hooks.onResponse must be a function; it is a string."],
    [{ onDrift: {} }, "onDrift must be a function; it is an object."],
    [{ fetch: "global" }, "fetch must be a function; it is a string."],
    [{ observedRules: "no" }, "observedRules must be true or false; it is a string."],
    [{ validation: "loose" }, 'validation must be "strict", "warn" or "off".'],
    [{ headers: [["a", "b"]] }, 'headers must be a plain object, such as { "x-team": "water" }.'],
    [{ headers: null }, 'headers must be a plain object, such as { "x-team": "water" }.'],
  ])("of a client are rejected by name: %#", (options, message) => {
    expect(make(options)).toThrow(message);
  });

  test.each<object>([
    { timeout: 1, totalTimeout: 2 ** 31 - 1 },
    { retry: { attempts: 20, baseDelay: 0, maxDelay: 0 } },
    { retry: { attempts: 1, baseDelay: 2 ** 31 - 1, maxDelay: 2 ** 31 - 1 } },
    { observedRules: false },
    { rateLimit: { requests: 1, window: 86_400_000 } },
    { rateLimit: { reads: 1, writes: 1, window: 1 } },
    { apiKey: new Secret("x") },
    { timeout: undefined, hooks: undefined, retry: undefined, headers: undefined },
  ])("do not include the ends of each range: %j", (options) => {
    expect(make(options)).not.toThrow();
  });

  test.each<[unknown, string]>([
    [null, "options: must be an object, such as { signal }"],
    [{ signal: {} }, "options: signal must be an AbortSignal"],
    [{ timeout: 0 }, "options: timeout must be an integer"],
    [{ totalTimeout: 0 }, "options: totalTimeout must be an integer"],
    [{ maxResponseBytes: 0 }, "options: maxResponseBytes must be an integer from 1 up; it is 0"],
    [{ validation: "none" }, 'options: validation must be "strict"'],
    [{ schema: {} }, "options: schema must be a schema that follows Standard Schema"],
    [{ schema: null }, "options: schema must be a schema that follows Standard Schema"],
    [{ idempotencyKey: "" }, "options: idempotencyKey must have 1 to 255 ASCII characters"],
    [{ idempotencyKey: "a b" }, "options: idempotencyKey must have 1 to 255 ASCII characters"],
    [
      { idempotencyKey: "x".repeat(256) },
      "options: idempotencyKey must have 1 to 255 ASCII characters",
    ],
    [{ idempotencyKey: "\u00e9" }, "options: idempotencyKey must have 1 to 255 ASCII characters"],
    [{ priority: "urgent" }, "options: priority must be"],
  ])("of a call are rejected by name before anything is sent: %#", async (options, message) => {
    let sent = 0;
    const fetch: FetchFunction = async () => (sent++, Response.json(thing));
    const call = createThings({ fetch }).createOnce({ name: "one" }, options as never);
    const error = await errorOf<CallError>(call);
    expect(error.message).toContain(`was not sent: ${message}`);
    expect([error.name, error.outcome, sent]).toEqual(["InputError", "not_sent", 0]);
  });

  // The place behind the options is for our own packages.
  test.each<[string, (things: ReturnType<typeof createThings>) => Promise<unknown>]>([
    // @ts-expect-error -- it has two
    ["with an input", (things) => things.createOnce({ name: "one" }, {}, {})],
    // @ts-expect-error -- it has one
    ["without one", (things) => things.list({}, { timeout: 5 })],
    ["in a map", (things) => ([{}].map(things.list as never) as Promise<unknown>[])[0]!],
  ])("come last, in a method %s: another argument is an InputError", async (_, call) => {
    let sent = 0;
    const fetch: FetchFunction = async () => (sent++, Response.json(thing));
    const error = await errorOf<CallError>(call(createThings({ fetch })));
    expect(error.message).toContain("was not sent: there is one argument too many");
    expect([error.name, error.outcome, sent]).toEqual(["InputError", "not_sent", 0]);
  });

  test.each(["!", "~".repeat(255)])(
    "do not include an idempotency key of the allowed characters and length: %j",
    async (key) => {
      const keys: (string | null)[] = [];
      const fetch: FetchFunction = async (_, { headers }) => {
        keys.push(headers.get("idempotency-key"));
        return Response.json(thing);
      };
      await createThings({ fetch }).createOnce({ name: "one" }, { idempotencyKey: key });
      expect(keys).toEqual([key]);
    },
  );
});

describe("in a browser", () => {
  const KEY = "canary-key";

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
});

interface Client extends ClientMethods<Client, ThingsOptions> {}

function createClient(options: ThingsOptions): Client {
  const create = (own: ThingsOptions, parent?: ThingsOptions["parent"]): Client =>
    bindClient(createThingsTransport({ ...own, ...(parent && { parent }) }), own, create);
  return create(options);
}

const get = { method: "GET", path: "/v1/things" } as const;

test("withOptions returns a client with the options of the original, except the given ones", async () => {
  const seen: [string, string | null, string | null][] = [];
  const fetch: FetchFunction = async (url, { headers }) => {
    seen.push([url, headers.get("key"), headers.get("x-team")]);
    return Response.json([]);
  };
  const client = createClient({ apiKey: "one", headers: { "x-team": "water" }, fetch });
  const other = client.withOptions({ apiKey: "two" });
  const third = other.withOptions({ baseUrl: "https://other.test", headers: {} });
  for (const each of [client, other, third]) await each.request(get);
  expect(seen).toEqual([
    ["https://things.test/v1/things", "one", "water"],
    ["https://things.test/v1/things", "two", "water"],
    ["https://other.test/v1/things", "two", null],
  ]);
});

test("withOptions rejects invalid options as the creation of a client does", () => {
  const client = createClient({});
  expect(() => client.withOptions({ timout: 5 } as never)).toThrow('Did you mean "timeout"?');
  expect(() => client.withOptions({ apiKey: "" })).toThrow("apiKey is empty");
  expect(() => client.withOptions(5 as never)).toThrow("withOptions requires an object");
});

describe("a pause after a 429 delays", () => {
  const delayOf = async (
    change: ThingsOptions,
    apiKey: ThingsOptions["apiKey"] = "one",
  ): Promise<number> => {
    let sent = 0;
    const fetch: FetchFunction = async () =>
      sent++ === 0
        ? new Response("", { status: 429, headers: { "retry-after": "0.3" } })
        : Response.json([]);
    const client = createClient({ apiKey: apiKey as string, fetch });
    const other = client.withOptions(change);
    const limited = client.request(get);
    await vi.waitFor(() => expect(sent).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const start = performance.now();
    await other.request(get);
    const delay = performance.now() - start;
    await limited;
    return delay;
  };

  test("a client of the same credential", async () => {
    expect(await delayOf({ timeout: 5_000 })).toBeGreaterThan(200);
    expect(await delayOf({ apiKey: new Secret("one") })).toBeGreaterThan(200);
    const apiKey = async (): Promise<string> => "one";
    expect(await delayOf({ apiKey }, apiKey)).toBeGreaterThan(200);
  });

  test("no client of another credential or server", async () => {
    expect(await delayOf({ apiKey: "two" })).toBeLessThan(150);
    expect(await delayOf({ baseUrl: "https://other.test" })).toBeLessThan(150);
    expect(await delayOf({ apiKey: async () => "one" }, async () => "one")).toBeLessThan(150);
  });
});

test("clients of one credential share the retry budget", async () => {
  let requests = 0;
  const fetch: FetchFunction = async () => (requests++, new Response("", { status: 503 }));
  const client = createClient({ fetch });
  const reasonOf = async (each: Client): Promise<string | undefined> =>
    (await errorOf<CallError>(each.request(get))).attempts.at(-1)?.reason;
  while (!(await reasonOf(client))?.includes("budget"));
  expect(await reasonOf(client.withOptions({ timeout: 5 }))).toContain("budget is used up");
  expect(await reasonOf(client.withOptions({ apiKey: "other" }))).toBe("all 3 attempts are used");
  expect(requests).toBeGreaterThan(3);
});

test("an apiKey function is called once for all clients that share it", async () => {
  const apiKey = vi.fn(async () => "one");
  const client = createClient({ apiKey, fetch: async () => Response.json([]) });
  await client.request(get);
  await client.withOptions({ timeout: 500 }).request(get);
  expect(apiKey).toHaveBeenCalledTimes(1);
});

describe("options of one call", () => {
  const failing = (): { fetch: FetchFunction; sent: () => number } => {
    let sent = 0;
    return { fetch: async () => (sent++, new Response("", { status: 503 })), sent: () => sent };
  };

  test("retry overrides the members that it names", async () => {
    const { fetch, sent } = failing();
    const things = createThings({ fetch, retry: { attempts: 2, baseDelay: 1, maxDelay: 1 } });
    await errorOf(things.list({ retry: false }));
    expect(sent()).toBe(1);
    const start = performance.now();
    await errorOf(things.list({ retry: { attempts: 5 } }));
    expect(sent()).toBe(6);
    expect(performance.now() - start).toBeLessThan(200);
    await errorOf(things.list());
    expect(sent()).toBe(8);
  });

  test("retry applies to each page of a walk", async () => {
    const { fetch, sent } = failing();
    await errorOf(createThings({ fetch }).walk({}, { retry: false }).page());
    expect(sent()).toBe(1);
  });

  test("validation overrides the client's", async () => {
    const drifts: Drift[] = [];
    const onDrift = (drift: Drift): void => void drifts.push(drift);
    const fetch: FetchFunction = async () => Response.json([{ id: "7", name: "one" }]);
    const things = createThings({ fetch, onDrift });
    await expect(things.list()).rejects.toThrow("does not fit");
    expect(await things.list({ validation: "warn" })).toEqual([{ id: "7", name: "one" }]);
    expect(drifts).toHaveLength(1);
    await things.list({ validation: "off" });
    expect(drifts).toHaveLength(1);
    await expect(
      createThings({ fetch, validation: "off" }).list({ validation: "strict" }),
    ).rejects.toThrow("does not fit");
  });
});
