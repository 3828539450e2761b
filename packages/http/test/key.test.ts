import { expect, test, vi } from "vitest";
import {
  isAbortError,
  isApiError,
  isCredentialError,
  isTimeoutError,
  Secret,
  type CallError,
  type FetchFunction,
} from "../src/index.ts";
import { everyHook, everythingPrinted } from "./canary.ts";
import { createThings, createThingsTransport, errorOf, thing } from "./things.ts";

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

test("after a rotation, each call completes and the function is called once", async () => {
  const vault = startVault("one");
  const apiKey = vi.fn(async () => vault.accepted);
  const things = createThings({ apiKey, fetch: vault.fetch });
  await things.list();
  vault.accepted = "two";
  await Promise.all(Array.from({ length: 20 }, () => things.list()));
  await things.list();
  expect(apiKey).toHaveBeenCalledTimes(2);
  expect(vault.received.filter((key) => key === "two")).toHaveLength(21);
});

test("a POST is retried with a new key after a 401, without using an attempt", async () => {
  const steps = [401, 503, 200];
  const keys = ["one", "two"];
  const sent: (string | null)[] = [];
  const things = createThings({
    apiKey: () => keys.shift() ?? "three",
    retry: { attempts: 2, baseDelay: 1 },
    trustIdempotencyKeys: true,
    fetch: async (_, { headers }) => {
      sent.push(headers.get("key"));
      return Response.json(thing, { status: steps.shift() ?? 200 });
    },
  });
  await things.createOnce({ name: "one" });
  expect(sent).toEqual(["one", "two", "two"]);
});

test("a second 401 ends the call, and the next call calls the function again", async () => {
  const vault = startVault("three");
  const keys = ["one", "two", "three"];
  const things = createThings({ apiKey: () => keys.shift() ?? "none", fetch: vault.fetch });
  const error = await errorOf<CallError>(things.list());
  expect(isApiError(error, 401)).toBe(true);
  expect(error.attempts.map(({ status, reason }) => [status, reason])).toEqual([
    [401, "retried after the key function was called again"],
    [401, "the same request would get the same response"],
  ]);
  await things.list();
  expect(vault.received).toEqual(["one", "two", "three"]);
});

test("a call is not retried if the function returns the same key again", async () => {
  const vault = startVault("other");
  const apiKey = vi.fn(() => "one");
  const error = await errorOf<CallError>(createThings({ apiKey, fetch: vault.fetch }).list());
  expect(isApiError(error, 401)).toBe(true);
  expect(vault.received).toEqual(["one"]);
  expect(apiKey).toHaveBeenCalledTimes(2);
  expect(error.attempts.map(({ reason }) => reason)).toEqual([
    "the function returned the same key again",
  ]);
});

test("retry: false sends each request once, and the next call calls the function again", async () => {
  const vault = startVault("two");
  const keys = ["one", "two"];
  const apiKey = (): string => keys.shift() ?? "none";
  const things = createThings({ apiKey, fetch: vault.fetch, retry: false });
  expect(isApiError(await errorOf(things.list()), 401)).toBe(true);
  await things.list();
  expect(vault.received).toEqual(["one", "two"]);
});

test("a call with a fixed key is not retried after a 401", async () => {
  const vault = startVault("other");
  expect(
    isApiError(await errorOf(createThings({ apiKey: "one", fetch: vault.fetch }).list()), 401),
  ).toBe(true);
  expect(vault.received).toHaveLength(1);
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
    expect(isCredentialError(error)).toBe(true);
    expect(error.message).toContain(message);
    expect([error.outcome, error.attempts, sent]).toEqual(["not_sent", [], 0]);
    expect(everythingPrinted(error)).not.toMatch(/canary/);
    if (message.includes("threw")) expect((error.cause as Error).message).toBe("vault is sealed");
    else expect(error).not.toHaveProperty("cause");
    isBroken = false;
    expect(await things.list()).toEqual([thing]);
  },
);

test("a function that fails after a 401 causes a CredentialError with the previous attempt", async () => {
  const results = [
    () => "one",
    () => {
      throw new Error("sealed");
    },
  ];
  const things = createThings({
    apiKey: () => results.shift()?.() ?? "none",
    fetch: startVault("two").fetch,
  });
  const error = await errorOf<CallError>(things.list());
  expect(isCredentialError(error)).toBe(true);
  expect(error.attempts.map(({ status }) => status)).toEqual([401]);
});

test("the signal and totalTimeout end the wait for a key, and later calls call the function again", async () => {
  const results: (() => Promise<string>)[] = Array(2).fill(
    () => new Promise<string>(() => undefined),
  );
  const things = createThings({
    apiKey: async () => await (results.shift()?.() ?? "one"),
    fetch: startVault("one").fetch,
  });
  const aborted = await errorOf<CallError>(things.list({ signal: AbortSignal.timeout(10) }));
  expect(isAbortError(aborted) && aborted.outcome).toBe("not_sent");
  const timedOut = await errorOf<CallError>(things.list({ totalTimeout: 20, timeout: 10 }));
  expect(isTimeoutError(timedOut) && [timedOut.limit, timedOut.outcome]).toEqual([
    "totalTimeout",
    "not_sent",
  ]);
  expect(await things.list()).toEqual([thing]);
});

test("errors and hooks show neither the old nor the new key of a call", async () => {
  const keys = ["canary-old-key", "canary-new-key"];
  const seen: unknown[] = [];
  const { request } = createThingsTransport({
    apiKey: () => keys.shift() ?? "none",
    hooks: everyHook((_, event) => seen.push(event)),
    service: { readError: ({ body }, _, show) => ({ message: show(body) }) },
    fetch: async () => {
      const echo = "canary-old-key and canary-new-key";
      return new Response(echo, { status: 401, headers: { "x-echo": echo } });
    },
  });
  const error = await errorOf<CallError>(request({ method: "GET", path: "/v1/any" }));
  expect(error.attempts).toHaveLength(2);
  expect(everythingPrinted(error)).not.toMatch(/canary/);
  // Hooks received the first response before the new key was known.
  expect(everythingPrinted(seen.slice(2))).not.toMatch(/canary/);
  expect(everythingPrinted(seen)).not.toMatch(/canary-old/);
});

test("a key that arrives late, after a second call of the function, causes no third call", async () => {
  const asked: PromiseWithResolvers<string>[] = [];
  const apiKey = (): Promise<string> => {
    const returned = Promise.withResolvers<string>();
    asked.push(returned);
    return returned.promise;
  };
  const sent: (string | null)[] = [];
  const things = createThings({
    apiKey,
    fetch: async (_, { headers }) => (sent.push(headers.get("key")), Response.json([thing])),
  });
  const controller = new AbortController();
  const ended = errorOf(things.list({ signal: controller.signal }));
  const early = things.list();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  controller.abort();
  await ended;
  const later = things.list();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[0]?.resolve("first");
  await early;
  const last = things.list();
  asked[1]?.resolve("second");
  await Promise.all([later, last]);
  await things.list();
  expect(asked).toHaveLength(2);
  expect(sent).toEqual(["first", "second", "second", "second"]);
});
