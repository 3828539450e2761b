import { createMobileClient } from "@fieldmesh/mobile-client";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { MobileOptions } from "./mobile-state.ts";

const person = { email: "ada@example.com", name: "Ada" };

function open(mobile: MobileOptions = {}) {
  const sandbox = createSandbox({ mobile });
  const { baseUrl, fetch, apiKey, liveApiKey } = sandbox.mobile;
  const init = { baseUrl, fetch, retry: false as const };
  const client = createMobileClient({ ...init, apiKey, mode: "sandbox" });
  const live = createMobileClient({ ...init, apiKey: liveApiKey });
  return { sandbox, client, live, webhooks: sandbox.webhooks };
}

function idOf(created: { readonly id?: string | undefined } | undefined): string {
  if (created?.id === undefined) throw new Error("the sandbox returns the record");
  return created.id;
}

describe("the mobile service of the sandbox", () => {
  test("creates, reads and deletes a subscriber, and emits events without contact fields", async () => {
    const { client, webhooks } = open();
    const id = idOf(await client.subscribers.create(person));
    expect(await client.subscribers.get({ id })).toMatchObject(person);
    await client.subscribers.delete({ id });
    await expect(client.subscribers.get({ id })).rejects.toMatchObject({
      status: 404,
      code: "not_found",
    });
    const [created, deleted] = webhooks.events();
    expect([created!.type, deleted!.type]).toEqual(["subscriber.created", "subscriber.deleted"]);
    expect(created!.data).toMatchObject({ object: { id, email: null, pii_redacted: true } });
    expect(JSON.stringify(webhooks.events())).not.toMatch(/ada/i);
  });

  test("the role of the key decides about contact fields: they are null without the permission", async () => {
    const everything = { ...person, phone: "+12025550143", date_of_birth: "1815-12-10" };
    const read = async (mobile: MobileOptions) => {
      const { client, sandbox } = open(mobile);
      const id = idOf(await client.subscribers.create(everything, { idempotencyKey: "signup-8" }));
      const { baseUrl, fetch, keys } = sandbox.mobile;
      return await Promise.all(
        Object.values(keys).map(async (apiKey) => {
          const reader = createMobileClient({ baseUrl, fetch, apiKey, mode: "sandbox" });
          const { email, name, phone, date_of_birth, locked_status } = await reader.subscribers.get(
            {
              id,
            },
          );
          return { email, name, phone, date_of_birth, locked_status };
        }),
      );
    };
    const seen = { ...everything, locked_status: "unlocked" };
    const hidden = {
      email: null,
      name: null,
      phone: null,
      date_of_birth: null,
      locked_status: "unlocked",
    };
    expect(await read({})).toEqual([hidden, hidden, seen]);
    expect(await read({ personalDataFor: ["rk"] })).toEqual([hidden, seen, hidden]);
    expect(() => open({ personalDataFor: ["admin"] as never })).toThrow(/personalDataFor/);
  });

  test("fraud.evaluated is emitted for a signup and a decision if screening is switched on", async () => {
    const types = async (mobile: MobileOptions) => {
      const { client, webhooks } = open(mobile);
      await client.subscribers.create(person);
      expect(await client.fraudDecisions.create({ subject: { email: "x" } })).toMatchObject({
        decision: "allow",
      });
      return webhooks.events();
    };
    expect((await types({})).map(({ type }) => type)).toEqual(["subscriber.created"]);
    const [, signup, asked] = await types({ fraudScreening: true });
    expect(signup).toMatchObject({
      type: "fraud.evaluated",
      data: { object: { decision: "allow", subject: { email: person.email, phone: null } } },
    });
    expect(asked).toMatchObject({ data: { object: { subject: { email: "x" } } } });
    const decision = { decision: "allow", score: 0.1, reasons: [], mode: "monitor" };
    expect([signup?.data.object, asked?.data.object]).toMatchObject([decision, decision]);
    const parsed = [signup, asked].map((event) => parseEvent(event, { validation: "strict" }));
    expect(parsed.map(({ type, drift }) => [type, drift])).toEqual([
      ["fraud.evaluated", undefined],
      ["fraud.evaluated", undefined],
    ]);
  });

  test.each([
    ["a subject", { subject: { email: "x" } }, { email: "x" }],
    ["no subject", { email: "x", ip: "192.0.2.1" }, { email: "x", ip: "192.0.2.1" }],
    ["an empty subject", { subject: {} }, {}],
  ])("fraud.evaluated carries %s, and nothing overwrites its outcome", async (_, body, subject) => {
    const { client, webhooks } = open({ fraudScreening: true });
    const outcome = { decision: "deny", score: 1, reasons: ["x"], mode: "enforce" };
    const decision = { decision: "allow", score: 0.1, reasons: [], mode: "monitor" };
    expect(await client.fraudDecisions.create({ ...outcome, ...body })).toMatchObject(decision);
    const [asked] = webhooks.events();
    const named = "subject" in body ? subject : { ...outcome, ...subject };
    expect(asked?.data.object).toEqual({ ...decision, subject: named });
  });

  test("a cursor that the list never returned is rejected", async () => {
    const { client, live, webhooks } = open({ pageSize: 2 });
    for (const _ of Array.from({ length: 5 })) await webhooks.trigger("plan.created");
    const { cursor } = await client.events.list().page();
    expect((await client.events.list({ cursor: cursor! }).page()).items).toHaveLength(2);
    const offset = Number(/\d+/.exec(cursor!)![0]);
    for (const forged of [
      "-1",
      "1e0",
      "2",
      "0",
      "NaN",
      `${cursor} `,
      cursor!.replace(String(offset), String(offset + 1)),
      cursor!.toUpperCase(),
    ])
      await expect(client.events.list({ cursor: forged }).page()).rejects.toMatchObject({
        status: 400,
        code: "invalid_cursor",
      });
    await expect(live.events.list({ cursor: cursor! }).page()).rejects.toMatchObject({
      status: 400,
    });
  });

  test("ids and events of the other environment are not found", async () => {
    const { client, live } = open();
    const id = idOf(await live.subscribers.create(person));
    await expect(client.subscribers.get({ id })).rejects.toMatchObject({ status: 404 });
    expect(await client.events.list().toArray({ limit: 9 })).toEqual([]);
    expect(await live.events.list().toArray({ limit: 9 })).toMatchObject([{ livemode: true }]);
  });

  test("after a lost response, the idempotency key lets the client retry, and one record is created", async () => {
    const { sandbox } = open();
    const { baseUrl, fetch, apiKey } = sandbox.mobile;
    const client = createMobileClient({
      baseUrl,
      fetch,
      apiKey,
      retry: { baseDelay: 1, maxDelay: 2 },
      trustIdempotencyKeys: true,
    });
    sandbox.setFaults([{ on: "subscribers.create", kind: "lost", times: 1 }]);
    await client.subscribers.create(person);
    expect(sandbox.mobile.state.subscribers.size).toBe(1);
    expect(sandbox.log.requests("subscribers.create")).toHaveLength(2);
  });
});

// Details that the client hides: headers, error bodies, and limits.

const DAY = 24 * 3_600_000;

function openHttp(mobile: MobileOptions = {}) {
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
const problem = (status: number, code: string, more: object = {}) => ({
  type: `https://errors.invalid/${code}`,
  title: code.replaceAll("_", " "),
  status,
  code,
  ...more,
});

describe("a problem has its media type, its code and its title", () => {
  test.each(["", "Basic x", "Bearer a b"])("for the authorization %j", async (authorization) => {
    const { status, headers, body } = await openHttp().send(
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
  });

  test("for a missing record, and for each invalid field", async () => {
    const { send } = openHttp({ inputs: "observed" });
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

describe("budgets", () => {
  const limits = ({ headers }: { headers: Record<string, string> }) =>
    ["limit", "remaining", "reset"].map((name) => headers[`ratelimit-${name}`]);

  test("are 600 reads and 120 writes a minute, counted by key", async () => {
    const { send, create, sandbox } = openHttp();
    expect(limits(await send("GET /v1/reference/event_types"))).toEqual(["600", "599", "60"]);
    expect(limits(await create())).toEqual(["120", "119", "60"]);
    const authorization = `Bearer ${sandbox.mobile.liveApiKey}`;
    expect(
      limits(await send("GET /v1/reference/event_types", undefined, { authorization })),
    ).toEqual(["600", "599", "60"]);
  });

  test("return the time to wait, rounded up to seconds, and accept requests after it", async () => {
    const { send, sandbox } = openHttp({ budgets: { reads: 1 } });
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
    const { create, sandbox, state } = openHttp();
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
    const { create, send, sandbox, state } = openHttp();
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
    const { create, send, state } = openHttp();
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
    const { create, state } = openHttp();
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
    const { create, state } = openHttp({ inputs: "observed" });
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
  const { send, create, sandbox } = openHttp();
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
