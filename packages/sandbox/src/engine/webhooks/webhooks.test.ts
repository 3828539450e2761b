import { inspect } from "node:util";
import { systemClock } from "@fieldmesh/core";
import { sensitiveFields } from "@fieldmesh/core/internal/schema";
import { createVerifier, type EventType, eventTypes } from "@fieldmesh/webhook-types";
import { secretFields } from "@fieldmesh/webhook-types/internal";
import { eventSchema, parseEvent } from "@fieldmesh/webhook-types/parse";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { startSandbox } from "../../server/start-sandbox.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { requestOf } from "../testing/console.ts";
import type { EndpointOptions } from "./endpoint.ts";

const url = "http://127.0.0.1/hooks";
const SECOND = 1_000;
const HOUR = 3_600_000;

/** Creates a sandbox with one endpoint that records its requests and sends the given responses. */
function listening(options: Partial<EndpointOptions> = {}) {
  const sandbox = createSandbox();
  const { webhooks, clock } = sandbox;
  const bodies: string[] = [];
  const requests: Request[] = [];
  const answers: (number | Error)[] = [];
  const endpoint = webhooks.register({
    url,
    ...options,
    fetch: async (request) => {
      requests.push(request.clone());
      bodies.push(await request.text());
      const response = answers.shift() ?? 200;
      if (response instanceof Error) throw response;
      return new Response("thank you", { status: response });
    },
  });
  const objects = () => bodies.map((body) => (JSON.parse(body) as Wire).data.object);
  return { sandbox, webhooks, clock, endpoint, bodies, requests, answers, objects };
}

interface Wire {
  readonly id: string;
  readonly created_at: string;
  readonly data: { readonly object: Record<string, unknown> };
}

test("delivers a signed event of any type, with the time of the sandbox's clock", async () => {
  const { webhooks, clock, endpoint, bodies, requests } = listening();
  const event = await webhooks.trigger("invoice.paid", { data: { object: { id: "in_7" } } });
  const verify = createVerifier({ secret: endpoint.secrets[0]!, now: () => clock.now() });
  const { body } = await verify({ body: bodies[0]!, headers: requests[0]!.headers });
  expect(parseEvent(body)).toMatchObject({
    id: event.id,
    type: "invoice.paid",
    created_at: "2026-11-20T08:00:00.000Z",
    data: { object: { id: "in_7" } },
  });
  expect(webhooks.deliveries()).toMatchObject([{ status: "delivered", event_id: event.id }]);
  const other = await webhooks.trigger("invoice.paid");
  expect(other.id).not.toBe(event.id);
});

test("no event that it delivers or stores contradicts the spec", async () => {
  const { webhooks, bodies } = listening();
  for (const type of eventTypes) await webhooks.trigger(type);
  expect(bodies).toHaveLength(eventTypes.length);
  const strict = { validation: "strict", onDrift: () => {} } as const;
  const events = [
    ...bodies.map((body) => parseEvent(body, strict)),
    ...webhooks.events().map((event) => parseEvent(event, { ...strict, source: "store" })),
  ];
  expect(events.filter(({ drift }) => drift !== undefined).map(({ type }) => type)).toEqual([]);
});

test("a real receiver accepts events of known and unknown types over a socket", async () => {
  await using sandbox = await startSandbox();
  const { webhooks, clock } = sandbox;
  const seen: string[] = [];
  const receive = createReceiver({
    secret: "whsec_mine",
    clock,
    store: memoryStore({ clock }),
    handlers: { "*": ({ type }) => seen.push(type) },
  });
  webhooks.register({ url, secret: "whsec_mine", fetch: receive });
  await webhooks.trigger("sim.activated");
  await webhooks.trigger("drone.landed", { data: { object: { id: "d_1" } } }, { unknown: true });
  expect(seen).toEqual(["sim.activated", "drone.landed"]);
});

test("an endpoint receives only the events of its patterns and its mode", async () => {
  const { webhooks, bodies } = listening({ enabled_events: ["sim.*", "plan.created"] });
  for (const type of ["sim.activated", "sim_inventory.claimed", "plan.created", "plan.updated"])
    await webhooks.trigger(type, {}, { unknown: true });
  await webhooks.trigger("plan.created", { livemode: true });
  expect(bodies.map((body) => (JSON.parse(body) as { type: string }).type)).toEqual([
    "sim.activated",
    "plan.created",
  ]);
});

test("signs each attempt again, with both secrets during a rotation", async () => {
  const { webhooks, clock, endpoint, bodies, requests, answers } = listening();
  const [old] = endpoint.secrets;
  answers.push(500);
  await webhooks.trigger("plan.created");
  const next = webhooks.rotate(endpoint.id);
  await webhooks.advance(30 * SECOND);
  const [first, second] = requests.map(({ headers }) => headers.get("platform-signature")!);
  expect(first!.match(/v1=/g)).toHaveLength(1);
  expect(second!.match(/v1=/g)).toHaveLength(2);
  const stamp = (header: string) => Number(/t=(\d+)/.exec(header)![1]);
  expect(stamp(second!) - stamp(first!)).toBe(30);
  for (const secret of [old!, next]) {
    const verify = createVerifier({ secret, now: () => clock.now() });
    await verify({ body: bodies[1]!, headers: requests[1]!.headers });
  }
  webhooks.rotate(endpoint.id, { keepOld: false });
  await webhooks.trigger("plan.created");
  const verify = createVerifier({ secret: next, now: () => clock.now() });
  await expect(verify({ body: bodies[2]!, headers: requests[2]!.headers })).rejects.toThrow(
    "signature_mismatch",
  );
});

describe("retries", () => {
  test("follow the schedule nine times, then the delivery is a dead letter, which can be replayed", async () => {
    const { webhooks, answers, bodies } = listening();
    answers.push(...Array.from({ length: 10 }, () => 503));
    await webhooks.trigger("plan.created");
    await webhooks.advance(48 * HOUR);
    const [letter] = webhooks.deadLetters();
    const first = letter!.attempts[0]!.at;
    const minutes = letter!.attempts.map(({ at }) => (at - first) / 60_000);
    expect(minutes).toEqual([0, 0.5, 2.5, 12.5, 42.5, 102.5, 222.5, 582.5, 1302.5, 2742.5]);
    expect(letter).toMatchObject({ status: "dead", nextAttemptAt: undefined });
    await webhooks.advance(48 * HOUR);
    expect(bodies).toHaveLength(10);
    expect(await webhooks.replay(letter!.id)).toMatchObject({ status: "delivered" });
    expect(new Set(bodies).size).toBe(1);
    expect(webhooks.deadLetters()).toEqual([]);
  });

  test("are due by the schedule, however long a receiver needs to respond", async () => {
    const { webhooks, clock } = createSandbox();
    const fetch = async () => {
      await clock.advance(5 * SECOND);
      return new Response(null, { status: 503 });
    };
    webhooks.register({ url, fetch });
    const began = clock.now();
    await webhooks.trigger("invoice.paid");
    await webhooks.advance(150 * SECOND);
    const [delivery] = webhooks.deliveries();
    expect(delivery!.attempts.map(({ at }) => (at - began) / SECOND)).toEqual([0, 30, 150]);
  });

  test("follow a missing response too, and not a 2xx", async () => {
    const { webhooks, answers } = listening();
    answers.push(new TypeError("reset"), 302, 201);
    await webhooks.trigger("plan.created");
    await webhooks.advance(48 * HOUR);
    expect(webhooks.deliveries()[0]!.attempts.map(({ outcome }) => outcome)).toEqual([
      "no_response",
      "rejected",
      "accepted",
    ]);
  });

  test("end when the endpoint is unregistered, and when the sandbox is reset", async () => {
    const { sandbox, webhooks, endpoint, answers, clock } = listening();
    answers.push(500, 500);
    await webhooks.trigger("plan.created");
    webhooks.unregister(endpoint.id);
    await webhooks.advance(HOUR);
    expect(webhooks.deadLetters()).toHaveLength(1);
    const again = listening();
    again.answers.push(500);
    await again.webhooks.trigger("plan.created");
    expect(again.clock.pending).toBe(1);
    again.sandbox.reset();
    expect(again.clock.pending).toBe(0);
    expect(again.sandbox.webhooks.endpoints).toEqual([]);
    expect(clock.pending).toBe(0);
    sandbox.reset();
  });
});

describe("disturbances", () => {
  test("deliver duplicates", async () => {
    const { webhooks, bodies } = listening();
    webhooks.disturb({ duplicates: 2 });
    await webhooks.trigger("plan.created");
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
  });

  test("change the order and delay deliveries, in the same way with the same seed", async () => {
    const run = async () => {
      const { webhooks, bodies } = listening();
      webhooks.disturb({ delay: 10 * SECOND, disorder: 60 * SECOND });
      const sent = [];
      for (let i = 0; i < 10; i += 1) sent.push((await webhooks.trigger("plan.created")).id);
      await webhooks.advance(9 * SECOND);
      expect(bodies).toEqual([]);
      await webhooks.advance(61 * SECOND);
      const received = bodies.map((body) => (JSON.parse(body) as Wire).id);
      expect(received).not.toEqual(sent);
      expect(received.toSorted()).toEqual(sent.toSorted());
      return received;
    };
    expect(await run()).toEqual(await run());
  });

  test("lose responses: the receiver handles the event, and receives it again", async () => {
    const { webhooks, bodies } = listening();
    webhooks.disturb({ lostResponses: 1 });
    await webhooks.trigger("plan.created");
    await webhooks.advance(30 * SECOND);
    expect(bodies).toHaveLength(2);
    expect(webhooks.deliveries()[0]).toMatchObject({
      status: "delivered",
      attempts: [{ outcome: "response_lost", status: undefined }, { outcome: "accepted" }],
    });
  });
});

describe("the rules of the spec for bodies", () => {
  test.each([
    [["*"], false],
    [["*", "sim.*"], true],
    [["sim.*"], true],
    [["sim.activated"], true],
    [["*", "sim.swapped"], false],
  ])("an endpoint on %j has the activation_code: %s", async (enabled_events, has) => {
    const { webhooks, objects } = listening({ enabled_events });
    const object = { activation_code: "LPA:1$secret" };
    await webhooks.trigger("sim.activated", { data: { object } });
    expect("activation_code" in objects()[0]!).toBe(has);
  });

  test("a subscriber is redacted, whatever the trigger contains", async () => {
    const { webhooks, objects, bodies } = listening();
    const object = { id: "sub_7", email: "ada@example.com", phone: "+15550100" };
    const data = { object, previous_attributes: { email: "eve@example.com", locked_status: "x" } };
    await webhooks.trigger("subscriber.updated", { data } as object);
    webhooks.emit("subscriber.created", data);
    await webhooks.idle();
    const redacted = { email: null, phone: null, date_of_birth: null, pii_redacted: true };
    for (const each of objects()) expect(each).toMatchObject({ id: "sub_7", ...redacted });
    expect(bodies.join()).not.toMatch(/example\.com|5550100/);
    expect(bodies[0]).toContain("locked_status");
  });

  test("the recipient of an order is in the delivery, but not in the stored event", async () => {
    const { webhooks, objects } = listening();
    const event = await webhooks.trigger("psim_order.created");
    expect(objects()[0]).toMatchObject({ email: "ada@example.com" });
    expect(objects()[0]!["shipping_address"]).toBeTruthy();
    expect(webhooks.events()).toEqual([event]);
    expect(JSON.stringify(event)).not.toMatch(/ada@example|Harbour/);
  });
});

test("no record, dead letter or printed value contains codes, addresses or secrets", async () => {
  const { sandbox, webhooks, bodies, answers, endpoint } = listening({
    enabled_events: ["*", "sim.*"],
  });
  answers.push(...Array.from({ length: 30 }, () => 500));
  const code = "493817";
  await webhooks.trigger("cpni.verification.requested", { data: { object: { code } } });
  await webhooks.trigger("sim.activated", { data: { object: { activation_code: "LPA:1$cany" } } });
  await webhooks.trigger("psim_order.paid", { data: { object: { email: "can@ary.example" } } });
  await webhooks.advance(48 * HOUR);
  expect(webhooks.deadLetters()).toHaveLength(3);
  for (const canary of [code, "LPA:1$cany", "can@ary.example"]) {
    expect(bodies.join()).toContain(canary);
    const seen = [webhooks, webhooks.deliveries(), webhooks.events(), webhooks.endpoints, sandbox];
    expect(inspect(seen, { depth: 20, showHidden: true })).not.toContain(canary);
    expect(JSON.stringify(seen)).not.toContain(canary);
  }
  const printed = inspect([webhooks.endpoints, sandbox.webhooks], { depth: 20 });
  expect(printed).not.toContain(endpoint.secrets[0]!.reveal());
});

const local =
  "The sandbox delivers to this machine only: use 127.0.0.1 or localhost, or pass fetch.";
const noUrl = "The url of a webhook endpoint must be an http or https URL.";
const noSecret = "The secret of a webhook endpoint must be a non-empty string.";

test.each<[options: object, message: string | RegExp]>([
  [{ url: "ftp://127.0.0.1/" }, noUrl],
  [{ url: "/hooks" }, noUrl],
  [{ url: "x-http://127.0.0.1/" }, noUrl],
  [{ url: "https://example.com/hooks" }, local],
  [{ url, secret: "" }, noSecret],
  [{ url, secret: " " }, noSecret],
  [{ url, secret: 7 }, noSecret],
  [{ url, enabled_events: ["sim.activatd"] }, /^enabled_events: .*Did you mean "sim\.activated"/],
  [{ url, enabled_events: [] }, "enabled_events must not be empty."],
])("does not register %j", (options, message) => {
  expect(() => createSandbox().webhooks.register(options as never)).toThrow(
    typeof message === "string" ? new TypeError(message) : message,
  );
});

test("a reset ends the delivery that waits for its response", async () => {
  const sandbox = createSandbox();
  const { promise: sent, resolve: send } = Promise.withResolvers<Request>();
  sandbox.webhooks.register({
    url,
    fetch: (request) => {
      send(request);
      const { signal } = request;
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    },
  });
  const triggered = sandbox.webhooks.trigger("plan.created");
  const request = await sent;
  expect(request.headers.get("content-type")).toBe("application/json");
  expect([request.method, request.redirect, request.signal.aborted]).toEqual([
    "POST",
    "manual",
    false,
  ]);
  const before = sandbox.webhooks;
  sandbox.reset();
  expect(request.signal.aborted).toBe(true);
  await triggered;
  expect(before.deliveries()).toMatchObject([{ attempts: [{ outcome: "no_response" }] }]);
});

test("an unknown id and an unsupported action are errors that name them", async () => {
  const { webhooks } = createSandbox();
  expect(() => webhooks.rotate("we_0")).toThrow(
    new TypeError("There is no webhook endpoint we_0."),
  );
  await expect(webhooks.replay("del_0")).rejects.toThrow(
    new TypeError("There is no delivery del_0."),
  );
  const { webhooks: real } = createSandbox({ clock: systemClock });
  await expect(real.advance(1)).rejects.toThrow(
    new TypeError("Only a virtual clock can be advanced; this sandbox has a real one."),
  );
});

describe("the controls by HTTP", () => {
  const open = () => {
    const { handler, webhooks } = createSandbox();
    const call = async (route: string, body?: unknown, type = "application/json") => {
      const [method = "", path = ""] = route.split(" ");
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = await handler(
        new Request(`http://127.0.0.1/webhooks${path}`, {
          method,
          headers: { "content-type": type },
          ...(text !== undefined && { body: text }),
        }),
      );
      const content = await response.text();
      const isJson = response.ok && content !== "";
      return [response.status, isJson ? (JSON.parse(content) as unknown) : content];
    };
    return { call, webhooks };
  };

  test("register an endpoint with all its fields, and show its secret only once", async () => {
    const { call, webhooks } = open();
    const own = { url, enabled_events: ["plan.*"], livemode: true };
    expect(await call("POST /endpoints", { ...own, secret: "whsec_mine" })).toEqual([
      201,
      { id: webhooks.endpoints[0]!.id, ...own, secret: "whsec_mine" },
    ]);
    expect(await call("POST /endpoints", { url })).toEqual([
      201,
      {
        id: webhooks.endpoints[1]!.id,
        url,
        enabled_events: ["*"],
        livemode: false,
        secret: webhooks.endpoints[1]!.secrets[0]!.reveal(),
      },
    ]);
    expect(await call("GET /endpoints")).toEqual([
      200,
      webhooks.endpoints.map(({ id, enabled_events, livemode }) => ({
        id,
        url,
        enabled_events,
        livemode,
      })),
    ]);
  });

  test("an endpoint is unregistered by its id", async () => {
    const { call, webhooks } = open();
    const { id } = webhooks.register({ url });
    const { id: kept } = webhooks.register({ url });
    expect(await call(`DELETE /endpoints/${id}`)).toEqual([204, ""]);
    expect(webhooks.endpoints.map((each) => each.id)).toEqual([kept]);
  });

  test("trigger responds with the event and its own deliveries", async () => {
    const { call, webhooks } = open();
    webhooks.register({ url, fetch: async () => new Response() });
    await webhooks.trigger("plan.created");
    const data = { object: { id: "sim_7" } };
    const [status, body] = await call("POST /trigger", { type: "sim.activated", data });
    const [, event] = webhooks.events();
    expect(event).toMatchObject({ type: "sim.activated", data });
    const [, delivery] = webhooks.deliveries();
    expect([status, body]).toEqual([
      200,
      JSON.parse(JSON.stringify({ event, deliveries: [delivery] })),
    ]);
  });

  test("disturb accepts each disturbance up to its limit", async () => {
    const { call } = open();
    const most = { duplicates: 1_000, disorder: 5, delay: 0, lostResponses: 2 };
    expect(await call("POST /disturb", most)).toEqual([200, most]);
    expect(await call("POST /disturb", "")).toEqual([200, {}]);
  });

  const noType = "Name a type, such as sim.activated.";
  test.each<[route: string, body: unknown, status: number, message: string]>([
    ["POST /trigger", "{", 400, "The body is not JSON."],
    ["POST /trigger", "[]", 400, "The body must be a JSON object."],
    ["POST /trigger", "null", 400, "The body must be a JSON object."],
    ["POST /trigger", "", 400, noType],
    ["POST /trigger", { type: 7 }, 400, noType],
    ["POST /endpoints", {}, 400, "Check url: it is missing, unknown or not valid."],
    ["POST /endpoints", { url: 7 }, 400, "Check url: it is missing, unknown or not valid."],
    ["POST /endpoints", { url: "https://example.com" }, 400, local],
    [
      "POST /endpoints",
      { url, fetch: "x" },
      400,
      "Check fetch: it is missing, unknown or not valid.",
    ],
    [
      "POST /disturb",
      { duplicate: 1 },
      400,
      "Check duplicate: it is missing, unknown or not valid.",
    ],
    [
      "POST /disturb",
      { duplicates: 1_001 },
      400,
      "Check duplicates: it is missing, unknown or not valid.",
    ],
    ["POST /deliveries/del_0/replay", {}, 400, "There is no delivery del_0."],
    ["POST /nothing", {}, 404, "Not Found"],
    ["GET /trigger", undefined, 404, "Not Found"],
    ["GET /deliveries/del_0/replay", undefined, 404, "Not Found"],
  ])("%s with %j is a %d", async (route, body, status, message) => {
    expect(await open().call(route, body)).toEqual([status, message]);
  });

  test("a request of a browser page, which cannot send the content-type of JSON, is rejected", async () => {
    const { call, webhooks } = open();
    const trigger = (type: string) => call("POST /trigger", { type: "sim.activated" }, type);
    for (const type of ["text/plain", "text/plain; x=application/json", "application/jsonp"])
      expect(await trigger(type)).toEqual([415, "Send content-type: application/json"]);
    expect(webhooks.events()).toEqual([]);
    expect(await trigger("Application/JSON ; charset=utf-8")).toMatchObject([200, {}]);
  });
});

test("by HTTP: register, trigger, list and replay, and a request of a browser page is rejected", async () => {
  await using sandbox = await startSandbox();
  const call = async (method: string, path: string, body?: object | string) => {
    const headers = {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
      authorization: `Bearer ${sandbox.page.split("#token=")[1]}`,
    };
    const text = typeof body === "string" ? body : (JSON.stringify(body) ?? null);
    const init = { method, headers, ...(method === "POST" && { body: text ?? "{}" }) };
    const response = await fetch(`${sandbox.origin}/webhooks${path}`, init);
    const answered = await response.text();
    return {
      status: response.status,
      body: response.ok ? (JSON.parse(answered) as never) : answered,
    };
  };
  // The sandbox's own 404 represents a receiver that rejects the event.
  const made = await call("POST", "/endpoints", { url: `${sandbox.origin}/nobody` });
  expect(made).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
  const { body } = await call("POST", "/trigger", { type: "sim.activated" });
  expect(body).toMatchObject({
    event: { type: "sim.activated" },
    deliveries: [{ status: "pending", attempts: [{ status: 404 }] }],
  });
  const [delivery] = sandbox.webhooks.deliveries();
  const replayed = await call("POST", `/deliveries/${delivery!.id}/replay`);
  expect(replayed).toMatchObject({ status: 200, body: { attempts: [{}, { status: 404 }] } });
  expect((await call("GET", "/endpoints")).body).toMatchObject([{ enabled_events: ["*"] }]);
  expect(JSON.stringify(await call("GET", "/endpoints"))).not.toContain("whsec_");
  expect((await call("GET", "/events")).body).toHaveLength(1);
  expect((await call("GET", "/deliveries")).body).toMatchObject([{ id: delivery!.id }]);
  expect((await call("POST", "/disturb", { duplicates: 1 })).status).toBe(200);
  expect((await call("POST", "/trigger", '{"type":"sim.activated"}')).status).toBe(415);
});

const SECRET = "canary";

test.each(eventTypes.filter((type) => secretsOf(type).length > 0))(
  "%s loses the secrets of its schema in its stored copy, at any depth",
  async (type) => {
    const { webhooks } = createSandbox();
    const object = Object.fromEntries(secretsOf(type).map((name) => [name, SECRET]));
    const data = { object: { ...object, list: [object] }, previous_attributes: object };
    const stored = await webhooks.trigger(type, { data } as object);
    expect(JSON.stringify([stored, webhooks.events()])).not.toContain(SECRET);
  },
);

test("secretFields lists the secrets of every schema", () => {
  const bySchema = eventTypes.map((type) => [type, secretsOf(type).sort()] as const);
  expect(secretFields).toEqual(
    Object.fromEntries(bySchema.filter(([, names]) => names.length > 0)),
  );
});

/** Reads the names of secret fields from the JSON Schema of a type. */
function secretsOf(type: EventType): string[] {
  const names = new Set<string>();
  z.toJSONSchema(eventSchema(type), {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, path }) => {
      if (sensitiveFields.get(zodSchema)?.sensitivity === "secret") names.add(nameIn(path));
    },
  });
  return [...names];
}

/** A path ends with what wraps the field: `…, "properties", "code", "anyOf", 0`. */
function nameIn(path: readonly (string | number)[]): string {
  return String(path[path.lastIndexOf("properties") + 1]);
}

describe("a type that is not in the catalog", () => {
  const message =
    'There is no event type of this name. Did you mean "sim.activated"? Add unknown: true to send it anyway.';
  const ways: [string, (sandbox: Sandbox, type: string, more?: object) => Promise<unknown>][] = [
    ["trigger", ({ webhooks }, type, more) => webhooks.trigger(type, {}, more as never)],
    ["emit", async ({ webhooks }, type, more) => webhooks.emit(type, {}, more as never)],
    [
      "POST /webhooks/trigger",
      (sandbox, type, more) => post(sandbox, "/webhooks/trigger", { type, ...more }),
    ],
    [
      "POST /sandbox/events",
      (sandbox, type, more) => post(sandbox, "/sandbox/events", { type, data: {}, ...more }),
    ],
  ];
  const post = async ({ handler }: Sandbox, path: string, body: object) => {
    const response = await handler(requestOf("https://sandbox.invalid", `POST ${path}`, body));
    if (!response.ok) throw new Error(await response.text());
  };

  test.each(ways)("is rejected by %s, which suggests the nearest one", async (_, send) => {
    const sandbox = createSandbox();
    await expect(send(sandbox, "sim.activatd")).rejects.toThrow(message);
    await expect(send(sandbox, "zzz", { unknown: false })).rejects.toThrow("eventTypes lists them");
    await expect(send(sandbox, "sim.activated", { unknown: 1 })).rejects.toThrow("unknown");
    expect(sandbox.webhooks.events()).toEqual([]);
    await send(sandbox, "sim.activated");
    await send(sandbox, "sim.activatd", { unknown: true });
    expect(sandbox.webhooks.events().map(({ type }) => type)).toEqual([
      "sim.activated",
      "sim.activatd",
    ]);
  });

  test.each([undefined, null, 7, {}])("is rejected by trigger if it is %j", async (type) => {
    await expect(createSandbox().webhooks.trigger(type as never)).rejects.toThrow(TypeError);
  });
});
