import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  CredentialError,
  isApiError,
  Secret,
  type CallError,
  type FetchFunction,
  createTransport,
  type ClientOptions,
  type TransportInit,
} from "../src/internal.ts";
import { everyHook, everythingPrinted } from "../../../tools/canaries/canaries.ts";
import { createThings, createThingsTransport, errorOf, thing, type Things } from "./things.ts";

/** Creates a server that accepts one key at a time and records the keys that it receives. */
function startVault(accepted: string) {
  const vault = {
    accepted,
    received: [] as string[],
    fetch: undefined as unknown as FetchFunction,
  };
  vault.fetch = async (_, { headers }) => {
    const key = headers.get("key") ?? "none";
    vault.received.push(key);
    return key === vault.accepted
      ? Response.json([thing], { status: 200 })
      : new Response(key, { status: 401 });
  };
  return vault;
}

test("the apiKey function is called before the first request, and its key is cached", async () => {
  const vault = startVault("one");
  const apiKey = vi.fn(async () => new Secret("one"));
  const things = createThings({ apiKey, fetch: vault.fetch });
  expect(apiKey).not.toHaveBeenCalled();
  await things.list();
  await things.list();
  expect(apiKey).toHaveBeenCalledTimes(1);
  expect(vault.received).toEqual(["one", "one"]);
});

test("concurrent calls share one result of the function", async () => {
  const vault = startVault("one");
  const apiKey = vi.fn(async () => "one");
  const things = createThings({ apiKey, fetch: vault.fetch });
  await Promise.all(Array.from({ length: 20 }, () => things.list()));
  expect(apiKey).toHaveBeenCalledTimes(1);
});

test("a fixed key that was rejected is kept: every later call of the client sends it again", async () => {
  const vault = startVault("other");
  const things = createThings({ apiKey: new Secret("one"), fetch: vault.fetch });
  for (let call = 0; call < 2; call++)
    expect(isApiError(await errorOf(things.list()), 401)).toBe(true);
  vault.accepted = "one";
  expect(await things.list()).toEqual([thing]);
  expect(vault.received).toEqual(["one", "one", "one"]);
});

describe("a key that the service rejects", () => {
  // The function may have another key ten seconds after it returned the last one.
  const LATER = 10_000;
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Makes a call whose key is accepted, and waits until the function may be asked again. */
  async function outlive(things: Things): Promise<void> {
    await things.list();
    await vi.advanceTimersByTimeAsync(LATER);
  }

  test("is asked for once by all calls after a rotation, and each call completes", async () => {
    const vault = startVault("one");
    const apiKey = vi.fn(async () => vault.accepted);
    const things = createThings({ apiKey, fetch: vault.fetch });
    await outlive(things);
    vault.accepted = "two";
    await Promise.all(Array.from({ length: 20 }, () => things.list()));
    await things.list();
    expect(apiKey).toHaveBeenCalledTimes(2);
    expect(vault.received.filter((key) => key === "two")).toHaveLength(21);
  });

  test("is replaced for a POST too, without using an attempt", async () => {
    const steps = [200, 401, 503, 200];
    const keys = ["one", "two"];
    const sent: (string | null)[] = [];
    const things = createThings({
      apiKey: () => keys.shift() ?? "three",
      retry: { attempts: 2, baseDelay: 1 },
      trustIdempotencyKeys: true,
      fetch: async (url, { headers }) => {
        sent.push(headers.get("key"));
        const body = url.endsWith("once") ? thing : [thing];
        return Response.json(body, { status: steps.shift() ?? 200 });
      },
    });
    await outlive(things);
    const created = things.createOnce({ name: "one" });
    await vi.advanceTimersByTimeAsync(10);
    await created;
    expect(sent).toEqual(["one", "one", "two", "two"]);
  });

  test("is not asked for again within ten seconds of a new key, which the service rejects too", async () => {
    const vault = startVault("three");
    const keys = ["one", "two", "three"];
    const apiKey = vi.fn(() => keys.shift() ?? "none");
    const things = createThings({ apiKey, fetch: vault.fetch });
    const first = await errorOf<CallError>(things.list());
    expect(isApiError(first, 401)).toBe(true);
    expect(first.attempts.map(({ status, reason }) => [status, reason])).toEqual([
      [401, "retried after the key function was called again"],
      [401, "the same request would get the same response"],
    ]);
    await vi.advanceTimersByTimeAsync(LATER - 1);
    const others = await Promise.all(
      Array.from({ length: 20 }, () => errorOf<CallError>(things.list())),
    );
    expect(others.every((error) => isApiError(error, 401))).toBe(true);
    expect(new Set(others.flatMap(({ attempts }) => attempts.map(({ reason }) => reason)))).toEqual(
      new Set(["the same request would get the same response"]),
    );
    expect(apiKey).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    await things.list();
    expect(apiKey).toHaveBeenCalledTimes(3);
    expect(vault.received.at(-1)).toBe("three");
  });

  test("ends the call if the function returns the same one again", async () => {
    const vault = startVault("one");
    const apiKey = vi.fn(() => "one");
    const things = createThings({ apiKey, fetch: vault.fetch });
    await outlive(things);
    vault.accepted = "other";
    const error = await errorOf<CallError>(things.list());
    expect(isApiError(error, 401)).toBe(true);
    expect(vault.received).toEqual(["one", "one"]);
    expect(apiKey).toHaveBeenCalledTimes(2);
    expect(error.attempts.map(({ reason }) => reason)).toEqual([
      "the function returned the same key again",
    ]);
  });

  test("with retry: false ends the call, and the next call asks the function", async () => {
    const vault = startVault("one");
    const apiKey = vi.fn(() => vault.accepted);
    const things = createThings({ apiKey, fetch: vault.fetch, retry: false });
    await outlive(things);
    vault.accepted = "two";
    expect(isApiError(await errorOf(things.list()), 401)).toBe(true);
    await things.list();
    expect(vault.received).toEqual(["one", "one", "two"]);
  });

  test("and its successor are shown by no error and no hook", async () => {
    const keys = ["canary-old-key", "canary-new-key"];
    const seen: unknown[] = [];
    let isAccepted = true;
    const { request } = createThingsTransport({
      apiKey: () => keys.shift() ?? "none",
      hooks: everyHook((_, event) => seen.push(event)),
      service: { readError: ({ body }, _, show) => ({ message: show(body) }) },
      fetch: async () => {
        if (isAccepted) return Response.json([]);
        const echo = "canary-old-key and canary-new-key";
        return new Response(echo, { status: 401, headers: { "x-echo": echo } });
      },
    });
    await request({ method: "GET", path: "/v1/any" });
    await vi.advanceTimersByTimeAsync(LATER);
    isAccepted = false;
    seen.length = 0;
    const error = await errorOf<CallError>(request({ method: "GET", path: "/v1/any" }));
    expect(error.attempts).toHaveLength(2);
    expect(everythingPrinted(error)).not.toMatch(/canary/);
    // Hooks received the first response before the new key was known.
    expect(everythingPrinted(seen.slice(2))).not.toMatch(/canary/);
    expect(everythingPrinted(seen)).not.toMatch(/canary-old/);
  });
});

test.for<[string, () => unknown, string]>([
  [
    "throws",
    () => {
      throw new Error("vault is sealed");
    },
    "the function apiKey threw. See cause.",
  ],
  [
    "rejects",
    async () => {
      throw new Error("vault is sealed");
    },
    "the function apiKey threw. See cause.",
  ],
  ["returns nothing", () => undefined, "the function apiKey did not return a string or a Secret."],
  ["returns a line break", () => "canary\n", "returned a key that contains a line break."],
  ["returns an empty Secret", async () => new Secret(""), "returned a key that is empty."],
])(
  "a function that %s causes a CredentialError, and nothing is sent",
  async ([, apiKey, message]) => {
    let sent = 0;
    let isBroken = true;
    const things = createThings({
      apiKey: (() => (isBroken ? apiKey() : "one")) as () => string,
      fetch: async () => (sent++, Response.json([thing])),
    });
    const error = await errorOf<CallError>(things.list());
    expect(error).toBeInstanceOf(CredentialError);
    expect(error.message).toContain(message);
    expect([error.outcome, error.attempts, sent]).toEqual(["not_sent", [], 0]);
    expect(everythingPrinted(error)).not.toMatch(/canary/);
    if (message.includes("threw")) expect((error.cause as Error).message).toBe("vault is sealed");
    else expect(error).not.toHaveProperty("cause");
    isBroken = false;
    expect(await things.list()).toEqual([thing]);
  },
);

test("a waiting call that aborts does not make the others call the function again", async () => {
  const returned = Promise.withResolvers<string>();
  const apiKey = vi.fn(() => returned.promise);
  const sent: (string | null)[] = [];
  const things = createThings({
    apiKey,
    fetch: async (_, { headers }) => (sent.push(headers.get("key")), Response.json([thing])),
  });
  const controller = new AbortController();
  const ended = errorOf(things.list({ signal: controller.signal }));
  const early = things.list();
  await vi.waitFor(() => expect(apiKey).toHaveBeenCalledTimes(1));
  controller.abort();
  await ended;
  const later = things.list();
  returned.resolve("first");
  await Promise.all([early, later]);
  await things.list();
  expect(apiKey).toHaveBeenCalledTimes(1);
  expect(sent).toEqual(["first", "first", "first"]);
});

describe("a function that hangs", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("ends all calls that wait for it after 10 s, and the next call asks it again", async () => {
    let hangs = true;
    const apiKey = vi.fn(async () => (hangs ? await new Promise<string>(() => undefined) : "one"));
    const things = createThings({ apiKey, fetch: startVault("one").fetch });
    const failed = Promise.all([errorOf(things.list()), errorOf(things.list())]);
    await vi.advanceTimersByTimeAsync(9_999);
    const later = errorOf(things.list());
    await vi.advanceTimersByTimeAsync(1);
    for (const error of [...(await failed), await later]) {
      expect(error).toBeInstanceOf(CredentialError);
      expect(String((error as CredentialError).cause)).toContain("did not settle within 10 s");
    }
    hangs = false;
    expect(await things.list()).toEqual([thing]);
    expect(apiKey).toHaveBeenCalledTimes(2);
  });
});

test.each<[string, unknown]>([
  [
    "an error of a client with the request",
    Object.assign(new Error("403"), { config: { headers: { authorization: "canary-token" } } }),
  ],
  ["an error with a cause", new Error("vault", { cause: new Error("canary-cause") })],
  ["a string", "canary-string"],
])(
  "%s that the function throws is a cause without anything but its message",
  async (_what, thrown) => {
    const things = createThings({
      apiKey: () => {
        throw thrown;
      },
    });
    const error = await errorOf<CallError>(things.list());
    expect(error).toBeInstanceOf(CredentialError);
    expect(error.cause).toBeInstanceOf(Error);
    expect(everythingPrinted(error)).not.toMatch(/canary/);
  },
);

test("a key that the error of a later call of the function repeats is not in its cause", async () => {
  const vault = startVault("canary-first-key");
  const results = [
    () => "canary-first-key",
    () => {
      throw new Error("cannot replace canary-first-key");
    },
  ];
  const things = createThings({ apiKey: () => results.shift()?.() ?? "none", fetch: vault.fetch });
  await things.list();
  vault.accepted = "other";
  const error = await errorOf<CallError>(things.list());
  expect((error.cause as Error).message).toBe("[redacted]");
  expect(everythingPrinted(error)).not.toMatch(/canary/);
});

const create = (fetch: FetchFunction, init: Partial<TransportInit> = {}, options?: ClientOptions) =>
  createTransport(
    { baseUrl: "https://things.test", fetch, ...options },
    {
      service: { name: "the service of things", readError: () => ({}) },
      userAgent: "t/1",
      ...init,
    },
  );
const GET = { method: "GET", path: "/v1/things" } as const;

test("a 401 to a client without a credential ends the call at once", async () => {
  const fetch = vi.fn<FetchFunction>(async () => new Response("", { status: 401 }));
  const client = create(fetch);
  expect(isApiError(await errorOf(client.request(GET)), 401)).toBe(true);
  // Nor does it fail for a client that shares its limits.
  expect(isApiError(await errorOf(create(fetch, { parent: client }).request(GET)), 401)).toBe(true);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("a key that the client's own check refuses is never sent", async () => {
  const fetch = vi.fn<FetchFunction>(async () => Response.json([thing]));
  const check = (key: string): void => {
    if (!key.startsWith("sk_")) throw new TypeError("must begin with sk_");
  };
  const credential = { option: "apiKey", header: "key", value: () => "pk_1", check };
  const error = await errorOf(create(fetch, { credential }).request(GET));
  expect(error).toBeInstanceOf(CredentialError);
  expect(error.message).toContain("the function apiKey must begin with sk_");
  expect(fetch).not.toHaveBeenCalled();
});
