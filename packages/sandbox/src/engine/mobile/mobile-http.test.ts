import { describe, expect, test } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { MobileOptions } from "./mobile-state.ts";

// Details that the client hides: headers, error bodies, and limits.

const DAY = 24 * 3_600_000;

function open(mobile: MobileOptions = {}) {
  const sandbox = createSandbox({ mobile });
  const { baseUrl, fetch, apiKey } = sandbox.mobile;
  const send = async (route: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = "", path = ""] = route.split(" ");
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: (/json/.test(response.headers.get("content-type") ?? "")
        ? JSON.parse(text)
        : text) as Record<string, unknown>,
    };
  };
  const create = (key?: string, body: object = person) =>
    send("POST /v1/subscribers", body, key === undefined ? {} : { "idempotency-key": key });
  return { sandbox, send, create, state: sandbox.mobile.state };
}

const person = { email: "ada@example.com", name: "Ada" };
const problem = (status: number, code: string, more: object = {}) => ({
  type: `https://errors.invalid/${code}`,
  title: code.replaceAll("_", " "),
  status,
  code,
  ...more,
});

describe("a problem has its media type, its code and its title", () => {
  test.each(["", "Basic x", "Bearer", "Bearer a b", "xBearer sk_1", "bearer sk_1"])(
    "for the authorization %j",
    async (authorization) => {
      const { status, headers, body } = await open().send(
        "GET /v1/reference/event_types",
        undefined,
        {
          authorization,
        },
      );
      expect([status, headers["content-type"], body]).toEqual([
        401,
        "application/problem+json",
        problem(401, "invalid_api_key"),
      ]);
    },
  );

  test("for a valid key that is not the second of two words", async () => {
    const { sandbox, send } = open();
    for (const words of ["Bearer", "x Bearer", "Basic Bearer", "Bearer x"]) {
      const authorization = `${words}${words === "Bearer" ? "  " : " "}${sandbox.mobile.apiKey}`;
      const { status } = await send("GET /v1/reference/event_types", undefined, { authorization });
      expect([words, status]).toEqual([words, 401]);
    }
    const authorization = `Bearer ${sandbox.mobile.apiKey} x`;
    const { status } = await send("GET /v1/reference/event_types", undefined, { authorization });
    expect(status).toBe(401);
  });

  test("for a missing record, and for each invalid field", async () => {
    const { send } = open({ inputs: "observed" });
    for (const route of [
      "GET /v1/subscribers/sub_0",
      "DELETE /v1/subscribers/sub_0",
      "GET /v1/subscriptions/subn_0/renewal",
    ])
      expect(await send(route)).toMatchObject({ status: 404, body: problem(404, "not_found") });
    const credit = { amount_cents: 500, reason: "goodwill" };
    expect(await send("POST /v1/subscribers/sub_0/balance_credits", credit)).toMatchObject({
      status: 404,
    });
    const message = "This field was not accepted.";
    const errors = [{ path: "/email", code: "invalid_type", message }];
    expect(await send("POST /v1/subscribers", { ...person, email: 7 })).toMatchObject({
      status: 422,
      body: problem(422, "validation_failed", { errors }),
    });
    expect(
      await send("POST /v1/subscriptions", { subscriber_id: "sub_0", plan_id: "p" }),
    ).toMatchObject({
      status: 422,
      body: problem(422, "validation_failed", {
        errors: [{ path: "/subscriber_id", code: "not_found", message: "No such subscriber." }],
      }),
    });
  });
});

describe("the bodies of the spec", () => {
  const bodies = {
    "a subscriber with a phone number only": ["subscribers", { phone: "+12025550143" }],
    "a subscription without a plan": ["subscriptions", { lines: [{ member: "sub_2" }] }],
  } as const;

  test.each(Object.entries(bodies))("%s is created", async (_what, [list, body]) => {
    const { send, create } = open();
    const subscriber_id = (await create()).body["id"];
    const created = await send(`POST /v1/${list}`, { subscriber_id, ...body });
    expect(created).toMatchObject({ status: 201, body });
  });

  test.each(Object.entries(bodies))(
    "%s is rejected by a hosted deployment",
    async (_what, [list, body]) => {
      for (const options of [{ deployment: "hosted" }, { inputs: "observed" }] as const) {
        const { send, create } = open(options);
        const subscriber_id = (await create()).body["id"];
        const created = await send(`POST /v1/${list}`, { subscriber_id, ...body });
        expect(created.body).toMatchObject({ status: 422, code: "validation_failed" });
      }
    },
  );

  test("invalid options are TypeErrors that name them", () => {
    expect(() => open({ inputs: "other" as never })).toThrow(/mobile.inputs must be/);
    expect(() => open({ deployment: "other" as never })).toThrow(/mobile.deployment must be/);
  });
});

describe("budgets", () => {
  const limits = ({ headers }: { headers: Record<string, string> }) =>
    ["limit", "remaining", "reset"].map((name) => headers[`ratelimit-${name}`]);

  test("are 600 reads and 120 writes a minute, counted by key", async () => {
    const { send, create, sandbox } = open();
    expect(limits(await send("GET /v1/reference/event_types"))).toEqual(["600", "599", "60"]);
    expect(limits(await create())).toEqual(["120", "119", "60"]);
    const authorization = `Bearer ${sandbox.mobile.liveApiKey}`;
    expect(
      limits(await send("GET /v1/reference/event_types", undefined, { authorization })),
    ).toEqual(["600", "599", "60"]);
  });

  test("return the time to wait, rounded up to seconds, and accept requests after it", async () => {
    const { send, sandbox } = open({ budgets: { reads: 1 } });
    await send("GET /v1/reference/event_types");
    await sandbox.clock.advance(58_500);
    const { status, headers, body } = await send("GET /v1/reference/event_types");
    expect([status, headers["retry-after"], body]).toEqual([
      429,
      "2",
      problem(429, "rate_limited"),
    ]);
    expect(limits({ headers })).toEqual(["1", "0", "2"]);
    await sandbox.clock.advance(1_500);
    expect((await send("GET /v1/reference/event_types")).status).toBe(200);
  });
});

describe("an idempotency key", () => {
  test("is remembered for exactly 24 hours", async () => {
    const { create, sandbox, state } = open();
    const first = await create("a");
    await sandbox.clock.advance(DAY - 1);
    const again = await create("a");
    expect([again.status, again.headers["idempotency-replayed"], again.body]).toEqual([
      first.status,
      "true",
      first.body,
    ]);
    await sandbox.clock.advance(1);
    expect((await create("a")).headers["idempotency-replayed"]).toBeUndefined();
    expect(state.subscribers.size).toBe(2);
    expect(sandbox.log.requests().map(({ done }) => done)).toEqual([true, true, true]);
  });

  test("belongs to one request and one API key", async () => {
    const { create, send, sandbox, state } = open();
    const { body } = await create("a");
    const headers = { "idempotency-key": "a" };
    for (const other of [
      create("a", { ...person, name: "Bob" }),
      send("DELETE /v1/subscribers/" + String(body["id"]), undefined, headers),
      send("POST /v1/subscriptions", person, headers),
    ])
      expect(await other).toMatchObject({
        status: 422,
        body: problem(422, "idempotency_key_reused"),
      });
    const authorization = `Bearer ${sandbox.mobile.liveApiKey}`;
    expect((await send("POST /v1/subscribers", person, { ...headers, authorization })).status).toBe(
      201,
    );
    expect(state.subscribers.size).toBe(2);
  });

  test("has no effect if it is missing, or if the request only reads", async () => {
    const { create, send, state } = open();
    await create();
    await create();
    expect(state.subscribers.size).toBe(2);
    const headers = { "idempotency-key": "a" };
    const read = async () => (await send("GET /events", undefined, headers)).body["data"];
    expect(await read()).toHaveLength(2);
    await create();
    expect(await read()).toHaveLength(3);
  });

  test("of a request in progress is a 409, with a retry after one second", async () => {
    const { create, state } = open();
    const [first, second] = await Promise.all([create("a"), create("a")]);
    expect(first.status).toBe(201);
    expect([second.status, second.headers["retry-after"], second.body]).toEqual([
      409,
      "1",
      problem(409, "idempotency_key_in_flight"),
    ]);
    expect(state.subscribers.size).toBe(1);
  });

  test("may be used again if the server failed, but not if it rejected the request", async () => {
    const { create, state } = open({ inputs: "observed" });
    expect((await create("a", {})).status).toBe(422);
    expect((await create("a")).body["code"]).toBe("idempotency_key_reused");
    state.subscribers.set = () => {
      throw new Error("no disk");
    };
    expect((await create("b")).status).toBe(500);
    Reflect.deleteProperty(state.subscribers, "set");
    expect((await create("b")).status).toBe(201);
    expect((await create("b")).headers["idempotency-replayed"]).toBe("true");
  });
});

test("a created record has the id prefix of its type, a time, and an event", async () => {
  const { send, create, sandbox } = open();
  const { id } = (await create()).body;
  const now = new Date(sandbox.clock.now()).toISOString();
  expect((await send(`GET /v1/subscribers/${String(id)}`)).body).toEqual({
    ...person,
    id: expect.stringMatching(/^sub_[0-9a-f]{14}$/),
    livemode: false,
    locked_status: "unlocked",
    created_at: now,
  });
  const other = (await create()).body;
  expect((await send(`DELETE /v1/subscribers/${String(other["id"])}`)).body).toEqual({
    id: other["id"],
  });
  const { body } = await send("POST /v1/subscriptions", { subscriber_id: id, plan_id: "plan_1" });
  expect(body).toEqual({
    id: expect.stringMatching(/^subn_[0-9a-f]{14}$/),
    subscriber_id: id,
    plan_id: "plan_1",
    livemode: false,
    status: "pending_activation",
  });
  expect((await send(`GET /v1/subscriptions/${String(body["id"])}/renewal`)).body).toEqual({
    id: expect.stringMatching(/^rnw_[0-9a-f]{14}$/),
    subscription_id: body["id"],
    renews_at: "2026-12-20T08:00:00.000Z",
    amount_cents: 2_500,
  });
  const credit = { amount_cents: 500, reason: "goodwill" };
  expect(
    (await send(`POST /v1/subscribers/${String(id)}/balance_credits`, credit)).body,
  ).toMatchObject({
    ...credit,
    id: expect.stringMatching(/^cred_[0-9a-f]{14}$/),
    subscriber_id: id,
    kind: "operator",
  });
  expect(sandbox.webhooks.events().map(({ type }) => type)).toEqual([
    "subscriber.created",
    "subscriber.created",
    "subscriber.deleted",
    "subscription.created",
    "balance.credited",
  ]);
});
