import { expect, test } from "vitest";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import { currentOptions } from "../services/presets.ts";
import { call } from "../testing/all-state.ts";
import { openControls } from "../testing/controls.ts";
import type { FeedMessage } from "./wire.ts";

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

test("a request is sent to a POST as it was, without a body if it had none", async () => {
  const { sandbox, send } = openControls();
  await call(sandbox, "console GET /api/v1/labels?name=a");
  expect(await send("POST /requests/1/sent", {})).toEqual({
    status: 200,
    body: {
      method: "GET",
      url: "/console/api/v1/labels?name=a",
      headers: {
        key: sandbox.apiKey,
        authorization: `Bearer ${sandbox.mobile.apiKey}`,
        "user-agent": "tests",
      },
      body: "",
    },
  });
});

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
  expect(sent).toEqual({
    status: 200,
    body: { id: event!.id, type: "plan.created", created_at: event!.created_at, livemode: false },
  });
  const live = await send("POST /events", { type: "plan.created", data, livemode: true });
  expect(live.body).toMatchObject({ livemode: true });
  expect(received.slice(1)).toEqual([[true, data]]);
});

test("event types are listed, and have receivers only in the mode that was asked for", async () => {
  const { sandbox, send } = openControls();
  const { id } = sandbox.webhooks.register({ url: URL });
  expect((await send("GET /event-types")).body).toContainEqual({
    type: "plan.created",
    earlier: expect.any(Boolean),
  });
  const path = "/event-types/plan.created/receivers";
  const row = { id, url: URL, enabled_events: ["*"], livemode: false, secrets: 1 };
  expect((await send(`GET ${path}`)).body).toEqual([row]);
  expect((await send(`GET ${path}?livemode=true`)).body).toEqual([]);
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

test.each([
  ["", 0, 4],
  ["?offset=1", 1, 3],
  ["?offset=-1", 0, 4],
  ["?offset=many", 0, 4],
  ["?offset=", 0, 4],
  ["?offset=9", 9, 0],
])("a list begins at its offset: %s", async (query, at, length) => {
  const { sandbox, send } = openControls({ console: { data: "empty" } });
  for (const name of ["a", "b", "c", "d"])
    await call(sandbox, "console POST /api/v1/labels", { name });
  const { body } = await send(`GET /state/labels${query}`);
  const names = ["a", "b", "c", "d"].slice(at);
  expect(body).toMatchObject({ total: 4, rows: names.map((name) => ({ name })) });
  expect(names).toHaveLength(length);
});

test("a search without words finds every request, and a list without a search every record", async () => {
  const { sandbox, send } = openControls({ console: { data: "empty" } });
  await call(sandbox, "console POST /api/v1/labels", { name: "a" });
  expect((await send("GET /search")).body).toEqual([1]);
  expect((await send("GET /search?words=nothing")).body).toEqual([]);
  expect((await send("GET /state/labels?search=nothing")).body).toEqual({ total: 0, rows: [] });
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
