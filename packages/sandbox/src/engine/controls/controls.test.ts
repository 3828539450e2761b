import { createMobileClient } from "@fieldmesh/mobile-client";
import { eventTypes } from "@fieldmesh/webhook-types";
import { expect, test } from "vitest";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import { currentOptions } from "../services/presets.ts";
import { call } from "../testing/all-state.ts";
import { newDevice } from "../testing/console.ts";
import { openControls } from "../testing/controls.ts";
import type { DeliveryView, FeedMessage, RequestView } from "./wire.ts";

test("the details of a request hide credentials and secrets of both sides, and show the rest", async () => {
  const { sandbox, client, send } = openControls();
  const { app_key, dev_eui, app_eui } = newDevice();
  await client.devices.create(newDevice());
  await client.devices.find({ dev_eui, app_eui, app_key });
  const { body: created } = await send("GET /requests/1");
  expect(created).toMatchObject({
    route: "POST /api/v1/devices",
    row: "devices.create",
    status: 201,
    headers: { key: "[redacted]", "content-type": "application/json" },
    body: { kind: "json", value: { dev_eui, app_key: "[redacted]" } },
    key: "printed",
    program: expect.stringContaining(`app_key: process.env["SENT_APP_KEY"]!`),
    response: {
      body: { kind: "json", value: { dev_eui, app_key: "[redacted]", total_packets: 0 } },
    },
  });
  const { body: found } = await send("GET /requests/2");
  expect(found).toMatchObject({ query: { dev_eui, app_key: "[redacted]" } });
  const text = JSON.stringify([created, found]);
  expect(text).not.toContain(app_key);
  expect(text).not.toContain(sandbox.apiKey);
});

test("personal data and undeclared fields are also hidden", async () => {
  const { sandbox, send } = openControls();
  const mobile = createMobileClient({ ...sandbox.mobile });
  await mobile.subscribers.create(
    { email: "canary@example.com", name: "canary", nickname: "canary" } as never,
    {
      idempotencyKey: "canary-1",
    },
  );
  const { body } = await send("GET /requests/1");
  expect((body as RequestView).headers["authorization"]).toBe("[redacted]");
  const { headers: _ours, ...rest } = body as RequestView;
  expect(JSON.stringify(rest)).not.toContain("canary");
});

test("an error response is shown unchanged, without the hidden values of the request", async () => {
  const { client, send } = openControls();
  await client.labels.find({ name: "nothing" }).catch(() => {});
  const { body } = await send("GET /requests/1");
  const errors = { error: [expect.any(String)] };
  expect(body).toMatchObject({
    status: 404,
    response: { body: { kind: "json", value: { errors } } },
  });
});

test("a single hidden value can be revealed by header, query parameter and pointer", async () => {
  const { sandbox, client, send } = openControls();
  const { app_key, dev_eui, app_eui } = newDevice();
  const { id } = await client.devices.create(newDevice());
  await client.devices.find({ dev_eui, app_eui, app_key });
  const reveal = (body: object) => send("POST /requests/1/reveal", body);
  expect(await reveal({ of: "request", part: "header", name: "key" })).toMatchObject({
    body: { value: sandbox.apiKey },
  });
  for (const of of ["request", "response"])
    expect(await reveal({ of, part: "body", name: "/app_key" })).toMatchObject({
      body: { value: app_key },
    });
  // Only the response has an id, and only the request has a key.
  expect(await reveal({ of: "response", part: "body", name: "/id" })).toMatchObject({
    body: { value: id },
  });
  expect((await reveal({ of: "request", part: "body", name: "/id" })).status).toBe(400);
  expect((await reveal({ of: "response", part: "header", name: "key" })).status).toBe(400);
  const query = { of: "request", part: "query", name: "app_key" };
  expect(await send("POST /requests/2/reveal", query)).toMatchObject({ body: { value: app_key } });
  expect((await send("POST /requests/2/reveal", { ...query, name: "key" })).status).toBe(400);
  for (const name of ["/nothing", "/app_key/0", "/__proto__"])
    expect(await reveal({ of: "request", part: "body", name })).toEqual({
      status: 400,
      body: "There is no such value.",
    });
  expect((await reveal({ of: "request", part: "trailer", name: "" })).status).toBe(400);
  expect((await send("GET /requests/9")).status).toBe(400);
});

test("a logged request can be sent again, and the response contains its new number", async () => {
  const { client, send, sandbox } = openControls();
  await client.labels.create({ name: "Pumps" });
  expect(await send("POST /requests/1/resend", {})).toEqual({ status: 200, body: { number: 2 } });
  expect(sandbox.log.requests().map(({ row, status }) => [row, status])).toEqual([
    ["labels.create", 201],
    ["labels.create", 422],
  ]);
  sandbox.setFaults([{ kind: "reset" }]);
  expect(await send("POST /requests/1/resend", {})).toEqual({ status: 200, body: { number: 3 } });
});

test("faults are set and read as JSON, and an invalid script is rejected with a sentence", async () => {
  const { send, client } = openControls();
  const faults = [{ kind: "status", status: 503, on: "labels.*", times: "all" }];
  expect(await send("POST /faults", { faults })).toMatchObject({
    body: { kind: "rules", rules: faults },
  });
  for (let sent = 0; sent < 3; sent++)
    await expect(client.labels.list()).rejects.toMatchObject({ status: 503 });
  expect(await send("POST /faults", { faults: { rate: 0.5 } })).toMatchObject({
    body: { kind: "rate", rate: { rate: 0.5 } },
  });
  expect(await send("POST /faults", { faults: [{ kind: "rest" }] })).toMatchObject({
    status: 400,
    body: expect.stringContaining('Did you mean "reset"?'),
  });
  for (const none of [null, []])
    expect(await send("POST /faults", { faults: none })).toMatchObject({ body: { kind: "none" } });
  expect(await client.labels.list()).toHaveLength(4);
});

test("every event type has a form with a schema and a sample, and the composed event is sent", async () => {
  const { sandbox, send } = openControls();
  const { body: types } = await send("GET /event-types");
  expect(types).toHaveLength(eventTypes.length);
  expect((await send("GET /event-types/__proto__")).body).toBe("There is no such event type.");
  for (const { type } of types as { type: string }[]) {
    const { body } = await send(`GET /event-types/${type}`);
    expect(body).toMatchObject({
      type,
      schema: { type: "object", properties: { object: {} } },
      data: { object: {} },
    });
  }
  const data = { object: { id: "sim_7", state: "active" } };
  expect(await send("POST /events", { type: "sim.activated", data })).toMatchObject({
    status: 200,
  });
  expect(sandbox.webhooks.events()).toMatchObject([{ type: "sim.activated", data }]);
});

test("a delivery shows its event and the response of the receiver, without codes and secrets", async () => {
  const { sandbox, send } = openControls();
  const secret = "whsec_canary_of_the_receiver";
  sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/hooks",
    secret,
    fetch: async () => new Response(`failed with ${secret}`, { status: 500 }),
  });
  await sandbox.webhooks.trigger("cpni.verification.requested", {
    data: { object: { code: "739104" } },
  });
  const [delivery] = sandbox.webhooks.deliveries();
  const { body } = await send(`GET /deliveries/${delivery!.id}`);
  expect(body).toMatchObject({
    event: { type: "cpni.verification.requested" },
    attempts: [{ response: { body: "[redacted]" } }],
  });
  expect(JSON.stringify(body)).not.toMatch(/739104|whsec/);
});

test("an attempt shows the check of its signature, and its body and the signature only in a POST", async () => {
  const { sandbox, send } = openControls();
  let status = 500;
  const received: { body: string; signature: string | null }[] = [];
  const endpoint = sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/hooks",
    enabled_events: ["sim.activated"],
    fetch: async (request) => {
      const signature = request.headers.get("platform-signature");
      received.push({ body: await request.text(), signature });
      return new Response(null, { status, headers: { "x-receiver": "7" } });
    },
  });
  const code = { activation_code: "LPA:1$canary" };
  await sandbox.webhooks.trigger("sim.activated", { data: { object: code } });
  const [delivery] = sandbox.webhooks.deliveries();
  const path = `/deliveries/${delivery!.id}`;
  const view = async () => (await send(`GET ${path}`)).body as DeliveryView;
  const first = await view();
  expect(first).toMatchObject({
    attempts: [
      {
        url: "http://127.0.0.1:3000/hooks",
        headers: { "platform-signature": "[redacted]" },
        response: { headers: { "x-receiver": "7" }, body: "" },
      },
    ],
    signature: expect.stringContaining("The signature matches the secret of this endpoint."),
  });
  expect(JSON.stringify(first)).not.toContain("canary");
  expect((await send(`POST ${path}/sent`, { attempt: 1 })).body).toEqual({
    method: "POST",
    url: "http://127.0.0.1:3000/hooks",
    headers: {
      "content-type": "application/json",
      "platform-signature": received[0]?.signature,
    },
    body: received[0]?.body,
  });
  expect(received[0]?.body).toContain("canary");
  expect((await send(`POST ${path}/sent`, { attempt: 2 })).status).toBe(400);

  sandbox.webhooks.rotate(endpoint.id, { keepOld: false });
  expect((await view()).signature).toContain("secret");
  expect((await view()).signature).not.toContain("matches the secret of this endpoint");
  status = 200;
  sandbox.restore(sandbox.snapshot());
  expect((await view()).attempts).toEqual(first.attempts);
  sandbox.webhooks.unregister(endpoint.id);
  expect((await view()).signature).toContain("The endpoint was removed");
});

test("a request is sent to a POST with all its values", async () => {
  const { sandbox, client, send } = openControls();
  await client.labels.create({ name: "Pumps" });
  expect((await send("POST /requests/1/sent", {})).body).toMatchObject({
    method: "POST",
    url: "/console/api/v1/labels",
    headers: { key: sandbox.apiKey },
    body: '{"name":"Pumps"}',
  });
  expect((await send("GET /requests/1/sent")).status).toBe(404);
});

test("personal data of a delivered event is hidden until it is revealed", async () => {
  const { sandbox, send } = openControls();
  sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/hooks",
    fetch: async () => new Response(null, { status: 204 }),
  });
  await sandbox.webhooks.trigger("sim.activated", { data: { object: { msisdn: "+12025550143" } } });
  const [delivery] = sandbox.webhooks.deliveries();
  const path = `/deliveries/${delivery!.id}`;
  expect(JSON.stringify((await send(`GET ${path}`)).body)).not.toContain("12025550143");
  const reveal = (name: string) => send(`POST ${path}/reveal`, { name });
  expect((await reveal("/data/object/msisdn")).body).toEqual({ value: "+12025550143" });
  // Stored events have no codes.
  expect((await reveal("/data/object/activation_code")).status).toBe(400);
  expect((await reveal("/data/object/toString")).status).toBe(400);
  expect((await send("POST /deliveries/none/reveal", { name: "" })).status).toBe(400);
});

test("the keys are those that the sandbox prints", async () => {
  const { send, sandbox } = openControls();
  const keys = { console: sandbox.apiKey, mobile: sandbox.mobile.apiKey };
  expect((await send("POST /keys", {})).body).toEqual(keys);
  expect((await send("GET /settings")).body).toMatchObject({ keyed: Object.keys(keys) });
  expect((await send("GET /keys")).status).toBe(404);
});

test("the log can be cleared, and the data stays", async () => {
  const { client, send, sandbox } = openControls();
  await client.labels.create({ name: "Pumps" });
  const kinds: string[] = [];
  sandbox.watch(({ kind }) => void kinds.push(kind));
  expect((await send("POST /clear", {})).status).toBe(204);
  expect(sandbox.log.count).toBe(0);
  expect((await send("GET /settings")).body).toMatchObject({ firstRequest: 2 });
  expect(kinds).toEqual(["clear"]);
  expect((await client.labels.list()).map(({ name }) => name)).toContain("Pumps");
});

test("the receivers of an event are the endpoints of its mode whose patterns have its type", async () => {
  const { send, sandbox } = openControls();
  const url = (name: string) => `http://127.0.0.1:3000/${name}`;
  sandbox.webhooks.register({ url: url("all") });
  sandbox.webhooks.register({ url: url("plans"), enabled_events: ["plan.*"] });
  sandbox.webhooks.register({ url: url("live"), livemode: true });
  const receivers = async (type: string, livemode = false) =>
    (
      (await send(`GET /event-types/${type}/receivers?livemode=${livemode}`)).body as {
        url: string;
      }[]
    ).map((each) => each.url);
  expect(await receivers("plan.created")).toEqual([url("all"), url("plans")]);
  expect(await receivers("sim.activated")).toEqual([url("all")]);
  expect(await receivers("sim.activated", true)).toEqual([url("live")]);
});

const URL = "http://127.0.0.1:3000/";

/** Returns the messages that a new viewer of the feed receives. */
async function wholeOf(
  { controls }: ReturnType<typeof openControls>,
  count: number,
): Promise<FeedMessage[]> {
  const response = await controls(new Request("https://sandbox.invalid/sandbox/feed"));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const messages: FeedMessage[] = [];
  while (messages.length < count) {
    const { value = "" } = await reader.read();
    messages.push(JSON.parse(/^data: (.*)$/m.exec(value)?.[1] ?? "{}") as FeedMessage);
  }
  await reader.cancel();
  return messages;
}

const settingsOf = async ({ send }: ReturnType<typeof openControls>) =>
  (await send("GET /settings")).body as Record<string, unknown>;

test("the settings are those of the sandbox", async () => {
  const all = openControls();
  const { id } = all.sandbox.webhooks.register({ url: URL });
  all.sandbox.webhooks.disturb({ delay: 5 });
  const settings = await settingsOf(all);
  expect(settings).toEqual({
    endpoints: [{ id, url: URL, enabled_events: ["*"], livemode: false, secrets: 1 }],
    disturbance: { delay: 5 },
    faults: { kind: "none" },
    calls: {
      console: expect.arrayContaining(["labels.get", "labels.*"]),
      ledger: expect.arrayContaining(["blocks.height"]),
      mapper: expect.arrayContaining(["mapper.ingest"]),
      mobile: expect.arrayContaining(["subscribers.create"]),
    },
    logSize: 10_000,
    firstRequest: 1,
    options: currentOptions({}),
    keyed: ["console", "mobile"],
  });
});

test.each<[SandboxOptions, object]>([
  [{ logSize: 7 }, { logSize: 7 }],
  [{ faults: () => undefined }, { faults: { kind: "function" } }],
  [{ logSize: Infinity }, { logSize: Number.MAX_SAFE_INTEGER }],
  [
    { console: { requestsPerMinute: Infinity }, ledger: { accounts: 3 } },
    { options: { console: { requestsPerMinute: null }, ledger: { accounts: 3 } } },
  ],
  [{ faults: { rate: 0.5 } }, { faults: { kind: "rate", rate: { rate: 0.5 } } }],
])("the settings show the options %j", async (options, settings) => {
  expect(await settingsOf(openControls(options))).toMatchObject(settings);
});

test("a new viewer receives settings, events and deliveries first, and then requests", async () => {
  const all = openControls();
  const { webhooks } = all.sandbox;
  webhooks.register({ url: URL, fetch: async () => new Response() });
  await webhooks.trigger("plan.created");
  await webhooks.trigger("sim.activated");
  await call(all.sandbox, "console GET /api/v1/labels");
  const [first, second] = await wholeOf(all, 2);
  const [plan, sim] = webhooks.events();
  expect(first).toEqual({
    reset: true,
    settings: await settingsOf(all),
    events: [plan, sim].map((event) => ({
      id: event!.id,
      type: event!.type,
      created_at: event!.created_at,
      livemode: false,
      ids: expect.objectContaining({ object: expect.any(String) }),
    })),
    deliveries: JSON.parse(JSON.stringify(webhooks.deliveries())),
    clock: { now: all.sandbox.clock.now(), kind: "virtual", isPaused: true },
  });
  expect(first?.deliveries).toHaveLength(2);
  expect(second?.requests).toMatchObject([{ number: 1, row: "labels.list", status: 200 }]);
  expect((await all.send("GET /requests")).body).toEqual(second?.requests);
});

test("a new viewer receives 2,000 requests in each message, in order", async () => {
  const all = openControls({ console: { requestsPerMinute: Infinity } });
  const { fetch, baseUrl } = all.sandbox.ledger;
  for (let sent = 0; sent < 4_001; sent++) await fetch(`${baseUrl}/none`);
  const [, ...messages] = await wholeOf(all, 4);
  const numbers = messages.map(({ requests = [] }) => requests.map(({ number }) => number));
  expect(numbers.map((each) => each.length)).toEqual([2_000, 2_000, 1]);
  expect(numbers.flat()).toEqual(Array.from({ length: 4_001 }, (_, at) => at + 1));
});

test("of events and deliveries, a new viewer receives the last 2,000", async () => {
  const all = openControls();
  const { webhooks } = all.sandbox;
  webhooks.register({ url: URL, fetch: async () => new Response() });
  webhooks.disturb({ delay: 1_000 });
  for (let sent = 0; sent < 2_001; sent++) webhooks.emit("plan.created", {});
  const [{ events = [], deliveries = [] } = {}] = await wholeOf(all, 1);
  expect([events.length, deliveries.length]).toEqual([2_000, 2_000]);
  expect(events.at(-1)?.id).toBe(webhooks.events().at(-1)?.id);
  expect(deliveries.at(-1)?.id).toBe(webhooks.deliveries().at(-1)?.id);
});

test.each(["GET /requests/9", "POST /requests/9/sent", "POST /requests/9/resend"])(
  "%s names the request that the log does not have",
  async (route) => {
    const { send } = openControls();
    expect(await send(route, route.startsWith("POST") ? {} : undefined)).toEqual({
      status: 400,
      body: "The log has no request 9.",
    });
  },
);

test.each([
  ["POST /deliveries/none/sent", {}, "attempt"],
  ["POST /deliveries/none/sent", { attempt: 0 }, "attempt"],
  ["POST /deliveries/none/sent", { attempt: 1.5 }, "attempt"],
  ["POST /deliveries/none/sent", { attempt: 1, more: 1 }, "more"],
  ["POST /events", { data: {} }, "type"],
  ["POST /events", { type: "plan.created" }, "data"],
  ["POST /events", { type: "plan.created", data: [] }, "data"],
  ["POST /events", { type: "plan.created", data: {}, livemode: "yes" }, "livemode"],
  ["POST /events", { type: "plan.created", data: {}, more: 1 }, "more"],
  ["POST /faults", { faults: null, more: 1 }, "more"],
  ["POST /endpoints/none/rotate", { keepOld: "no" }, "keepOld"],
  ["POST /endpoints/none/rotate", { more: 1 }, "more"],
  ["POST /deliveries/none/reveal", { name: "", more: 1 }, undefined],
])("%s %j is rejected, and what does not fit is named", async (route, body, name) => {
  expect(await openControls().send(route, body)).toEqual({
    status: 400,
    body:
      name === undefined
        ? "There is no such delivery."
        : `Check ${name}: it is missing, unknown or not valid.`,
  });
});

test("a composed event is delivered before the response, in the mode that was chosen", async () => {
  const { sandbox, send } = openControls();
  const received: unknown[] = [];
  for (const livemode of [true, false])
    sandbox.webhooks.register({
      url: URL,
      livemode,
      fetch: async (request) => {
        received.push([livemode, ((await request.json()) as { data: unknown }).data]);
        return new Response();
      },
    });
  const data = { object: { id: "plan_1" } };
  const sent = await send("POST /events", { type: "plan.created", data });
  expect(received).toEqual([[false, data]]);
  const [event] = sandbox.webhooks.events();
  const shown = { id: event!.id, type: "plan.created" };
  expect(sent).toEqual({
    status: 200,
    body: { ...shown, created_at: event!.created_at, livemode: false, ids: { object: "plan_1" } },
  });
  const live = await send("POST /events", { type: "plan.created", data, livemode: true });
  expect(live.body).toMatchObject({ livemode: true });
  expect(received.slice(1)).toEqual([[true, data]]);
});

test("the secrets of an endpoint are rotated, and revealed", async () => {
  const { sandbox, send } = openControls();
  sandbox.webhooks.register({ url: "http://127.0.0.1:3001/", secret: "whsec_of_another" });
  const { id } = sandbox.webhooks.register({ url: URL, secret: "whsec_first" });
  const reveal = async () =>
    ((await send(`POST /endpoints/${id}/reveal`, {})).body as { value: string[] }).value;
  expect(await reveal()).toEqual(["whsec_first"]);
  expect(await send(`POST /endpoints/${id}/rotate`, {})).toEqual({ status: 204, body: "" });
  const [second] = await reveal();
  expect(await reveal()).toEqual([second, "whsec_first"]);
  expect(await send(`POST /endpoints/${id}/rotate`, { keepOld: true })).toMatchObject({
    status: 204,
  });
  expect((await reveal())[1]).toBe(second);
  await send(`POST /endpoints/${id}/rotate`, { keepOld: false });
  expect(await reveal()).toHaveLength(1);
  expect(await send("POST /endpoints/none/reveal", {})).toEqual({
    status: 400,
    body: "There is no such webhook endpoint.",
  });
  expect(await send("POST /endpoints/none/rotate", {})).toEqual({
    status: 400,
    body: "There is no webhook endpoint none.",
  });
});

test("a sandbox that other machines can reach shows no signing secret", async () => {
  const { sandbox, send } = openControls({}, { showsSigningSecrets: false });
  const { id } = sandbox.webhooks.register({ url: URL });
  expect(await send(`POST /endpoints/${id}/reveal`, {})).toEqual({
    status: 400,
    body: "A sandbox that other machines can reach does not show signing secrets.",
  });
  expect(await send("POST /snapshot", {})).toEqual({
    status: 400,
    body: "A sandbox that other machines can reach does not send a snapshot, because it contains signing secrets. Start the sandbox with --save to write one.",
  });
});

test("a reset removes data and settings", async () => {
  const { sandbox, send } = openControls({ console: { data: "empty" } });
  await call(sandbox, "console POST /api/v1/labels", { name: "a" });
  sandbox.setFaults([{ kind: "reset" }]);
  sandbox.webhooks.register({ url: URL });
  expect(await send("POST /reset", {})).toEqual({ status: 204, body: "" });
  expect(sandbox.console.state.labels.size).toBe(0);
  expect((await send("GET /settings")).body).toMatchObject({ endpoints: [], firstRequest: 2 });
  expect((await send("GET /requests")).body).toEqual([]);
});
