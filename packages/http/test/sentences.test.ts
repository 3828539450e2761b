import { describe, expect, test, vi } from "vitest";
import { Secret, TimeoutError, type CallError, type FetchFunction } from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

// Messages of errors, log lines and rejected options at each end of a range.

const REDIRECT =
  "Redirects outside baseUrl are not followed: set baseUrl to the address that serves the API.";
const CORRECT = "Correct the input: the same request would fail again.";
const TROUBLE = "The server failed. Call again later.";
const READ_BACK = "It may have been carried out: check that before you send it again.";

test.each<[number, string, string]>([
  [300, REDIRECT, READ_BACK],
  [307, REDIRECT, REDIRECT],
  [399, REDIRECT, REDIRECT],
  [400, CORRECT, CORRECT],
  [401, "Check the credential that the client was created with.", "Check the credential"],
  [402, CORRECT, CORRECT],
  [
    403,
    "The credential is not allowed to do this: use one that has the permission.",
    "The credential is not allowed to do this: use one that has the permission.",
  ],
  [404, "Check baseUrl: the path of the route is added to it.", "Check baseUrl: the path"],
  [408, TROUBLE, READ_BACK],
  [499, CORRECT, CORRECT],
  [500, TROUBLE, READ_BACK],
  [599, TROUBLE, READ_BACK],
])(
  "an error with the status %i gives advice for reads and for writes",
  async (status, toRead, toWrite) => {
    const fetch: FetchFunction = async () =>
      ({ status, ok: false, headers: new Headers(), body: null }) as Response;
    const things = createThings({ fetch, retry: false, service: { readError: () => ({}) } });
    const read = await errorOf<CallError>(things.list());
    expect(read.message).toBe(`things.list (GET /v1/things) failed with ${status}. ${toRead}`);
    const write = await errorOf<CallError>(things.create({ name: "one" }));
    expect(write.message).toContain(`failed with ${status}. ${toWrite}`);
  },
);

test.each([
  [1, "The option is in milliseconds: 1 seconds are 1000. Allow"],
  [300, "The option is in milliseconds: 300 seconds are 300000. Allow"],
  [301, "got no complete response within 301 ms (timeout). Allow"],
])("a short timeout is suspected to be in seconds, here %i", (milliseconds, words) => {
  const context = { call: "a", route: "GET /a", outcome: "unknown", attempts: [] } as const;
  expect(new TimeoutError(context, "timeout", milliseconds).message).toContain(words);
});

test("hooks, logs and errors contain the duration of each attempt", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const seen: unknown[] = [];
    const lines: string[] = [];
    const none = (): void => undefined;
    const debug = (line: string): void => void lines.push(line);
    const steps = [40.4, 250.6];
    const things = createThings({
      retry: { baseDelay: 0 },
      fetch: async () => {
        vi.advanceTimersByTime(steps[0] ?? 0);
        if (steps.shift() === 40.4) throw Object.assign(new Error("x"), { code: "ECONNRESET" });
        return new Response("", { status: 404 });
      },
      hooks: {
        onFailure: ({ duration }) => seen.push(Math.round(duration)),
        onResponse: ({ duration }) => seen.push(Math.round(duration)),
      },
      logger: { debug, info: none, warn: none, error: none },
    });
    const error = await errorOf<CallError>(things.list());
    expect(seen).toEqual([40, 251]);
    expect(error.attempts.map(({ duration }) => duration)).toEqual([40, 251]);
    expect(lines.filter((line) => line.includes(" ms"))).toEqual([
      "things.list (GET /v1/things) attempt 1: ECONNRESET, 40 ms",
      "things.list (GET /v1/things) attempt 2: 404, 251 ms, 0 bytes",
    ]);
  } finally {
    vi.useRealTimers();
  }
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
