import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
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
    const other = clientOf(() => problem(409, { code: "subscriber_exists" }));
    const conflict = await errorOf(other.client.subscribers.create(person));
    expect([conflict.code, other.sent.length]).toEqual(["subscriber_exists", 1]);
    expect(conflict.message).not.toContain("same idempotencyKey");
    expect(conflict.outcome).toBe("rejected");
    const stays = await errorOf(
      clientOf(() => problem(409, { code: "idempotency_key_in_flight" })).client.subscribers.create(
        person,
      ),
    );
    expect(stays.message).toContain("same idempotencyKey");
    expect([stays.outcome, stays.attempts.length]).toEqual(["unknown", 3]);
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
      { path: "/addons/0/id", code: "unknown", message: "canary" },
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
      fields: { email: ["already_used"], "addons.0.id": ["unknown"] },
      outcome: "rejected",
    });
    expect(error.message).toContain("email already_used; addons.0.id unknown");
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

test.each<[string, unknown]>([
  ["names", ["sim.activated"]],
  ["records", [{ type: "sim.activated", family: "sim" }]],
  ["a list under data", { data: [{ type: "sim.activated" }] }],
])("eventTypes.list returns records with a type for %s", async (_form, body) => {
  const types = await clientOf(() => Response.json(body)).client.eventTypes.list();
  expect(types.map(({ type }) => type)).toEqual(["sim.activated"]);
});

test("invalid input is rejected before anything is sent, without personal values", async () => {
  const { client, sent } = clientOf(() => Response.json({}), { observedRules: true });
  for (const call of [
    client.balanceCredits.create({ id: "sub_1", amount_cents: 0 }),
    client.balanceCredits.create({ id: "sub_1", amount_cents: -5 }),
    client.balanceCredits.create({ id: "sub_1", amount: "-5.00" }),
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
