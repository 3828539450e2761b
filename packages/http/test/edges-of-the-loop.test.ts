import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  CallError,
  type ConnectionError,
  isApiError,
  TimeoutError,
  type FetchFunction,
} from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Settles a call, whatever it waits for. */
async function ended<T>(call: Promise<T>): Promise<T> {
  call.catch(() => undefined);
  await vi.runAllTimersAsync();
  return await call;
}

/** Responds with the statuses in turn, and with a list of things from then on. */
function respondWith(...statuses: number[]) {
  return vi.fn<FetchFunction>(async () => {
    const status = statuses.shift();
    return status === undefined ? Response.json([thing]) : new Response("", { status });
  });
}

test("a bug of the client in a later attempt is reported, not the failure before it", async () => {
  vi.spyOn(Math, "random").mockImplementation(() => {
    throw new RangeError("a bug");
  });
  const error = await ended(errorOf(createThings({ fetch: respondWith(503) }).list()));
  expect(error).toBeInstanceOf(CallError);
  expect(isApiError(error)).toBe(false);
  expect(error.message).toContain("RangeError, which the client did not expect");
});

test("a key that was replaced after a 401 is hidden in the error of the next attempt", async () => {
  const keys = ["the-first-key", "the-second-key"];
  const responses = [
    new Response("", { status: 401 }),
    new Response('{"error":"the-first-key is too old"}', { status: 400 }),
  ];
  const things = createThings({
    apiKey: () => keys.shift()!,
    fetch: async () => responses.shift()!,
    service: { readError: ({ body }, _meaning, show) => ({ message: show(body) }) },
  });
  const error = await ended(errorOf(things.list()));
  expect(isApiError(error, 400)).toBe(true);
  expect(error.message).not.toContain("the-first-key");
});

test("a call whose key function blocks the process until no time is left sends nothing", async () => {
  const fetch = respondWith();
  const apiKey = (): string => {
    vi.setSystemTime(Date.now() + 2_000);
    now += 2_000;
    return "a-key";
  };
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const error = await ended(
    errorOf<TimeoutError>(createThings({ apiKey, fetch, totalTimeout: 1_000 }).list()),
  );
  expect(fetch).not.toHaveBeenCalled();
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error.outcome).toBe("not_sent");
  // It had a permit.
  expect(error.message).not.toContain("permit");
});

test("if timeout and totalTimeout are equal, the error names totalTimeout", async () => {
  const fetch = () => new Promise<never>(() => undefined);
  const things = createThings({ fetch, timeout: 1_000, totalTimeout: 1_000 });
  expect(await ended(errorOf<TimeoutError>(things.list()))).toMatchObject({
    limit: "totalTimeout",
  });
});

test("a write with the response 306 leaves its outcome unknown", async () => {
  const things = createThings({ fetch: respondWith(306) });
  expect(await ended(errorOf(things.create({ name: "one" })))).toMatchObject({
    outcome: "unknown",
  });
});

test("a 429 before a success refunds no retry", async () => {
  const fetch = respondWith(...Array<number>(200).fill(503));
  const things = createThings({ fetch, rateLimit: false });
  // The budget pays for 35 retries: the calls after it are sent once.
  let error: CallError;
  do error = await ended(errorOf<CallError>(things.list()));
  while (error.attempts.length > 1);
  fetch.mockImplementation(respondWith(429));
  await ended(things.list());
  fetch.mockImplementation(respondWith(503));
  expect((await ended(errorOf<CallError>(things.list()))).attempts).toHaveLength(1);
});

test("a code of a fetch function that is the key is replaced", async () => {
  const apiKey = "KEY_OF_CONSOLE";
  const fetch = async () => {
    throw new TypeError("fetch failed", {
      cause: Object.assign(new Error("refused"), { code: apiKey }),
    });
  };
  const error = await ended(errorOf<ConnectionError>(createThings({ apiKey, fetch }).list()));
  expect(error).toMatchObject({ code: "NETWORK_ERROR" });
});

test("the message about a failed connection ends with its code", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("fetch failed", {
      cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
    });
  });
  const error = await ended(errorOf<ConnectionError>(createThings({ retry: false }).list()));
  vi.unstubAllGlobals();
  expect(error.message).toMatch(/failed: [^,:]+ \(ECONNREFUSED\)\. /);
});

test("an error of a fetch function keeps a name that can be changed", async () => {
  const fetch = () => {
    throw new SyntaxError("a typing mistake");
  };
  const error = await ended(errorOf(createThings({ fetch }).list()));
  expect(Object.getOwnPropertyDescriptor(error.cause, "name")).toMatchObject({
    value: "SyntaxError",
    configurable: true,
    writable: true,
    enumerable: false,
  });
});
