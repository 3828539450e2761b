import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { redact } from "@fieldmesh/core/internal/schema";
import { responseSchema } from "@fieldmesh/http/internal";
import { canaries } from "../../../tools/canaries/canaries.ts";
import {
  createMobileClient,
  CredentialError,
  InputError,
  isApiError,
  modeOf,
  rateLimitOf,
  Secret,
  withResponse,
  type ApiError,
} from "../src/index.ts";
import * as endpoints from "../src/endpoints.ts";

const apiKey = canaries.mobileKey;
type Respond = (attempt: number) => Response;

function clientOf(respond: Respond, options: object = {}) {
  const sent: { url: string; method: string; headers: Headers; body: string | undefined }[] = [];
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey,
    retry: { baseDelay: 1, maxDelay: 2 },
    fetch: async (url, { method, headers, body }) => {
      sent.push({ url, method, headers, body });
      return respond(sent.length);
    },
    ...options,
  });
  return { client, sent };
}
const problem = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("no error"),
    (error: unknown) => error as ApiError,
  );
const person = { email: "ada@example.com", name: "Ada" };

describe("the key", () => {
  afterEach(() => void vi.useRealTimers());

  test.each([
    ["sk_sandbox_x", "sandbox"],
    ["rk_live_x", "live"],
    ["pk_live_x", "live"],
    ["sk_test_x", undefined],
    ["live_x", undefined],
    ["xsk_live_1", undefined],
    [" sk_live_1", undefined],
    ["sk_live", undefined],
    ["sk-live-1", undefined],
  ])("%s selects the mode %s", (key, mode) => {
    expect(modeOf(key)).toBe(mode);
    expect(modeOf(new Secret(key))).toBe(mode);
  });

  test("is compared with the mode each time that the apiKey function returns it, before it is sent", async () => {
    vi.useFakeTimers();
    const keys = [apiKey, "sk_live_canary93"];
    let status = 200;
    const { client, sent } = clientOf(() => Response.json([], { status }), {
      apiKey: async () => keys.shift(),
      mode: "sandbox",
    });
    expect(client.mode).toBe("sandbox");
    await client.eventTypes.list();
    // A function that has just returned a key is not asked again.
    await vi.advanceTimersByTimeAsync(10_000);
    status = 401;
    const error = await client.eventTypes.list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CredentialError);
    expect((error as Error).message).toContain('mode is "sandbox", but the key is for live.');
    expect(inspect(error)).not.toContain("canary");
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual([
      `Bearer ${apiKey}`,
      `Bearer ${apiKey}`,
    ]);
    const other = clientOf(() => Response.json([]), { apiKey: () => apiKey }).client;
    expect(other.mode).toBeUndefined();
    await expect(other.withOptions({ mode: "live" }).eventTypes.list()).rejects.toThrow(
      'mode is "live", but the key is for sandbox.',
    );
  });

  test("is sent as a Bearer token, and compared with the mode when the client is created", async () => {
    const { client, sent } = clientOf(() => Response.json([]));
    await client.eventTypes.list();
    expect(sent[0]!.headers.get("authorization")).toBe(`Bearer ${apiKey}`);
    expect(client.mode).toBe("sandbox");
    const init = { baseUrl: "https://mobile.test", apiKey };
    expect(() => createMobileClient({ ...init, mode: "live" })).toThrow(
      /mode is "live", but the key is for sandbox/,
    );
    expect(() => createMobileClient({ ...init, apiKey: "canary", mode: "live" })).toThrow(
      /no prefix such as sk_live_/,
    );
    for (const wrong of [
      { ...init, mode: "live" },
      { ...init, apiKey: "Bearer canary" },
    ] as const) {
      try {
        createMobileClient(wrong);
        expect.fail("created");
      } catch (error) {
        expect(inspect(error)).not.toMatch(/canary(?!\.)/);
      }
    }
  });
});

describe("idempotency", () => {
  test("every mutating call sends one key with all its attempts, and reads send none", async () => {
    const { client, sent } = clientOf(
      (attempt) => (attempt % 2 === 1 ? problem(503, {}) : Response.json({ id: "x" })),
      { trustIdempotencyKeys: true },
    );
    await client.subscribers.create(person);
    await client.subscribers.delete({ id: "sub_1" });
    await client.subscriptions.create({ subscriber_id: "sub_1", plan_id: "plan_1" });
    await client.balanceCredits.create({ id: "sub_1", amount_cents: 1 });
    await client.fraudDecisions.create({ subject: {} });
    await client.subscribers.get({ id: "sub_1" });
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    for (let call = 0; call < 10; call += 2)
      expect([keys[call], keys[call + 1]]).toEqual([
        expect.stringMatching(/^[\w-]{36}$/),
        keys[call],
      ]);
    expect(new Set(keys.slice(0, 10)).size).toBe(5);
    expect(keys.slice(10)).toEqual([null, null]);
  });

  test("without trustIdempotencyKeys, a POST that may have been carried out is not retried, and a DELETE is", async () => {
    const { client, sent } = clientOf(() => problem(504, {}));
    for (const call of [
      client.subscribers.create(person),
      client.subscriptions.create({ subscriber_id: "sub_1", plan_id: "plan_1" }),
      client.balanceCredits.create({ id: "sub_1", amount_cents: 1 }),
      client.fraudDecisions.create({ subject: {} }),
    ]) {
      const error = await errorOf(call);
      expect([error.outcome, error.attempts.length]).toEqual(["unknown", 1]);
      expect(error.message).toContain("before you send it again");
    }
    expect(sent).toHaveLength(4);
    expect(sent.every(({ headers }) => headers.has("idempotency-key"))).toBe(true);
    expect((await errorOf(client.subscribers.delete({ id: "sub_1" }))).attempts).toHaveLength(3);
    const limited = clientOf((attempt) =>
      attempt === 1 ? problem(429, {}) : Response.json({ id: "sub_1" }),
    );
    await limited.client.subscribers.create(person);
    expect(limited.sent).toHaveLength(2);
  });

  test.each(["true", 1, null])("trustIdempotencyKeys: %j is rejected", (trust) => {
    expect(() => clientOf(() => Response.json({}), { trustIdempotencyKeys: trust })).toThrow(
      /trustIdempotencyKeys must be true or false/,
    );
  });

  test("the caller's key is kept, and a 409 for a request in progress is retried", async () => {
    const { client, sent } = clientOf((attempt) =>
      attempt === 1
        ? problem(409, { code: "idempotency_key_in_flight" }, { "retry-after": "0" })
        : Response.json({ id: "sub_1" }, { status: 201 }),
    );
    await client.subscribers.create(person, { idempotencyKey: "signup-7" });
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual([
      "signup-7",
      "signup-7",
    ]);
  });
});

describe("problem details", () => {
  const body = {
    type: "https://errors.invalid/x",
    title: "ada@example.com is taken",
    detail: "canary",
    code: "validation_failed",
    errors: [
      { path: "/email", code: "already_used", message: "ada@example.com is taken" },
      { path: "/email", code: "too.long" },
      { path: "/addons/0/zip-code", code: "unknown", message: "canary" },
      { path: "ada@example.com", code: "odd", message: "x" },
    ],
  };

  test("become an ApiError with code and fields that prints no value", async () => {
    const error = await errorOf(
      clientOf(() => problem(422, body)).client.subscribers.create(person),
    );
    expect(isApiError(error, 422)).toBe(true);
    expect(error).toMatchObject({
      code: "validation_failed",
      fields: { email: ["already_used", "too.long"], "addons.0.zip-code": ["unknown"] },
      outcome: "rejected",
    });
    expect(error.message).toContain("email already_used, too.long; addons.0.zip-code unknown");
    expect(inspect(error) + JSON.stringify(error) + error.stack).not.toMatch(/ada@example|canary/);
    expect(error.body.reveal()).toContain("canary");
  });

  test.each([
    [""],
    ["<html>"],
    ["null"],
    ["[]"],
    ['{"code":7,"errors":{}}'],
    ['{"errors":[null,7]}'],
  ])("that are %j become an ApiError too", async (text) => {
    const error = await errorOf(
      clientOf(() => new Response(text, { status: 403 })).client.subscribers.get({ id: "x" }),
    );
    expect(error).toMatchObject({ status: 403, code: undefined, fields: {} });
    expect(error.message).toContain("capability");
  });
});

test("rateLimitOf reads the headers of a response and of an error", async () => {
  const headers = {
    "ratelimit-limit": "600",
    "ratelimit-remaining": "0",
    "ratelimit-reset": "17",
    "retry-after": "17",
  };
  const read = await withResponse(
    clientOf(() => Response.json([], { headers })).client.eventTypes.list(),
  );
  expect(rateLimitOf(read.headers)).toEqual({ limit: 600, remaining: 0, resetsIn: 17 });
  const error = await errorOf(
    clientOf(() => problem(429, {}, headers), { totalTimeout: 500 }).client.eventTypes.list(),
  );
  expect(rateLimitOf(error.headers)).toEqual({ limit: 600, remaining: 0, resetsIn: 17 });
  expect(error.retryAt!.getTime()).toBeGreaterThan(Date.now() + 10_000);
  expect(rateLimitOf(new Headers())).toBeUndefined();
  for (const name of ["limit", "remaining", "reset"]) {
    const { [`ratelimit-${name}`]: _, ...others } = headers as Record<string, string>;
    expect(rateLimitOf(others)).toBeUndefined();
    for (const wrong of ["", "-1", "1e3", "soon"])
      expect(rateLimitOf({ ...headers, [`ratelimit-${name}`]: wrong })).toBeUndefined();
  }
  // Some services send a time since 1970.
  expect(rateLimitOf({ ...headers, "ratelimit-reset": "1790000000" })).toBeUndefined();
});

test("invalid input is rejected before anything is sent, without personal values", async () => {
  const { client, sent } = clientOf(() => Response.json({}), { observedRules: true });
  for (const call of [
    client.subscribers.create({ email: ["ada@example.com"], name: "A" } as never),
    client.subscribers.get({ id: ".." }),
    client.subscribers.get({ id: "" }),
    client.subscriptions.create({ subscriber_id: "", plan_id: "p" }),
  ]) {
    const error = await errorOf(call);
    expect(error).toBeInstanceOf(InputError);
    expect(inspect(error)).not.toContain("ada@example");
  }
  expect(sent).toHaveLength(0);
});

test("eventsPath sets the path of the stored events", async () => {
  const { client, sent } = clientOf(() => Response.json({ data: [] }), {
    eventsPath: "/v1/events",
  });
  await client.events.list({}, { query: { created_after: "2026-11-20" } }).toArray({ limit: 1 });
  expect(sent[0]!.url).toBe("https://mobile.test/v1/events?created_after=2026-11-20");
  const other = clientOf(() => Response.json({ data: [] }));
  await other.client.events.list().page();
  expect(other.sent[0]!.url).toBe("https://mobile.test/events");
  for (const eventsPath of ["events", "/../x", "/a?b", "/:id", ["/events"]])
    expect(() =>
      clientOf(() => Response.json([]), { eventsPath: eventsPath as "/events" }),
    ).toThrow(/eventsPath/);
});

/** Makes a call that receives this status and body. Returns its error and the number of requests. */
async function errorFor(status: number, body: unknown): Promise<{ error: ApiError; sent: number }> {
  let sent = 0;
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: "sk_sandbox_x",
    retry: { attempts: 2, baseDelay: 1, maxDelay: 1 },
    fetch: async () => {
      sent++;
      return Response.json(body, { status });
    },
  });
  const error: unknown = await client.subscribers
    .create({ email: "a@site.example", name: "A" }, { idempotencyKey: "one" })
    .catch((thrown: unknown) => thrown);
  if (!isApiError(error)) expect.fail("no ApiError");
  return { error, sent };
}

describe("an error shows", () => {
  test.each([
    ["another type", "wrong"],
    ["no path", { code: "missing" }],
    ["no code", { path: "/email" }],
    ["a path without a slash", { path: "email", code: "missing" }],
    ["a path that ends with another character", { path: "/email?", code: "missing" }],
    ["a path with a prefix", { path: "x/email", code: "missing" }],
    ["a path of seven steps", { path: "/a".repeat(7), code: "missing" }],
    ["a path with a step of 41 characters", { path: `/${"a".repeat(41)}`, code: "missing" }],
    ["a code that is a sentence", { path: "/email", code: "is missing" }],
    ["a code that begins with a capital", { path: "/email", code: "Missing" }],
    ["a code that ends in a number", { path: "/email", code: "missing1" }],
    ["a code of one character", { path: "/email", code: "m" }],
    ["a code that is not a string", { path: "/email", code: 7 }],
  ])("nothing of an entry with %s", async (_, entry) => {
    const { error } = await errorFor(422, { code: "invalid", errors: [entry] });
    expect(error.fields).toEqual({});
    expect(error.message).not.toContain("missing");
  });

  test("its code if the table has no meaning for the status", async () => {
    const { error } = await errorFor(418, { code: "teapot.refused" });
    expect(error.message).toContain("teapot.refused");
  });

  test("at most fifty fields", async () => {
    const errors = Array.from({ length: 60 }, (_, index) => ({ path: `/f${index}`, code: "bad" }));
    const { error } = await errorFor(422, { errors });
    expect(Object.keys(error.fields)).toHaveLength(50);
  });
});

describe("a 409", () => {
  const advice = "An earlier attempt is still in progress";

  test.each([undefined, "idempotency_key_in_use", "request_in_flight"])(
    "with the code %s means a request in progress, and is retried",
    async (code) => {
      const { error, sent } = await errorFor(409, { code });
      expect(sent).toBe(2);
      expect(error.message).toContain(advice);
    },
  );

  test.each(["email_taken", 7, null, ["request_in_flight"]])(
    "with the code %s means another conflict, and is not retried",
    async (code) => {
      const { error, sent } = await errorFor(409, { code });
      expect(sent).toBe(1);
      expect(error.message).not.toContain(advice);
    },
  );
});

describe("the amount of a credit", () => {
  const issue = async (body: object): Promise<unknown> => {
    const sent: unknown[] = [];
    const client = createMobileClient({
      baseUrl: "https://mobile.test",
      apiKey: "sk_sandbox_x",
      fetch: async (_, { body: text }) => {
        sent.push(text);
        return Response.json({ id: "cred_1" }, { status: 201 });
      },
    });
    try {
      await client.balanceCredits.create({ id: "sub_1", ...body } as never);
    } catch (error) {
      expect(sent).toEqual([]);
      if (!(error instanceof InputError)) throw error;
      return error.message;
    }
    return sent[0];
  };

  test.each([0, -1, Number.NaN, Infinity, 0n, -5n, "0", "-1", "0.00", ""])(
    "must be more than 0, and is rejected as %s",
    async (amount) => {
      for (const name of ["amount", "amount_cents"])
        expect(await issue({ [name]: amount })).toContain(
          "must be more than 0: only credits are issued here",
        );
    },
  );

  test.each([1, 0.01, 5n, "5", "5 USD", { value: 0 }])("is accepted as %s", async (amount) => {
    expect(await issue({ amount })).toContain('"amount":');
  });
});

test("the error of a 404 mentions the environment of the key", async () => {
  const client = createMobileClient({
    baseUrl: "https://mobile.test",
    apiKey: "sk_sandbox_x",
    fetch: async () => Response.json({}, { status: 404 }),
  });
  for (const call of [
    () => client.subscribers.get({ id: "sub_1" }),
    () => client.balanceCredits.create({ id: "sub_1", amount_cents: 5 }),
  ])
    await expect(call()).rejects.toThrow(
      "The record does not exist, or belongs to another environment (live or sandbox) than the key",
    );
  await expect(client.subscribers.get({ id: "" })).rejects.toThrow("id: must not be empty");
});

test("createMobileClient requires options, and rateLimitOf requires headers", () => {
  expect(() => createMobileClient("key" as never)).toThrow(
    "createMobileClient requires an object of options, such as { baseUrl, apiKey }, not a string.",
  );
  expect(() => rateLimitOf(null as never)).toThrow("rateLimitOf requires headers, not null.");
  expect(() => rateLimitOf("x" as never)).toThrow("rateLimitOf requires headers, not a string.");
  expect(() => rateLimitOf({ "no name": "x" })).toThrow(
    "rateLimitOf requires the headers of a response, or of an ApiError.",
  );
});

// What a log, an error or a page may show of a record.

const HIDDEN = "[redacted]";
const subject = { email: "ada@example.com" };

test("the data of a stored event is personal", () => {
  const event = { id: "evt_1", type: "sim.activated", livemode: true, data: { object: subject } };
  expect(redact(responseSchema(endpoints.events.list), { data: [event] })).toEqual({
    data: [{ ...event, data: HIDDEN }],
  });
});

test("the subject of a fraud decision is personal, and the decision is not", () => {
  const decision = { decision: "allow", score: 3, subject };
  expect(redact(responseSchema(endpoints.fraudDecisions.create), decision)).toEqual({
    ...decision,
    subject: HIDDEN,
  });
});
