import { expect, test } from "vitest";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Handler } from "../serve/serve.ts";
import { createFeed, type SandboxActivity } from "../services/feed.ts";
import { openControls } from "../testing/controls.ts";
import type { DeliveryRecord } from "../webhooks/delivery.ts";
import { createHistory } from "./activity-history.ts";
import { createStream, type StreamSource } from "./activity-stream.ts";
import type { FeedMessage, Settings } from "./wire.ts";

const FEED = "http://sandbox.invalid/sandbox/feed";

/** Reads the feed as a page does. */
async function open(handler: Handler | ReturnType<typeof createStream>, lastId?: string) {
  const left = new AbortController();
  const response = await handler(
    new Request(FEED, {
      signal: left.signal,
      headers: lastId === undefined ? {} : { "last-event-id": lastId },
    }),
  );
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let id: string | undefined;
  return {
    response,
    reader,
    get id() {
      return id;
    },
    next: async (): Promise<FeedMessage> => {
      const { value = "" } = await reader.read();
      id = /^id: (.*)$/m.exec(value)?.[1] ?? id;
      return JSON.parse(/^data: (.*)$/m.exec(value)?.[1] ?? "{}") as FeedMessage;
    },
    leave: () => left.abort(),
  };
}

const call = (sandbox: Sandbox) =>
  sandbox.ledger.fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height?secret=canary-query`, {
    headers: { "user-agent": "test", key: "canary-key" },
  });

test("a viewer receives everything first, and then each change", async () => {
  const { sandbox, controls } = openControls();
  await call(sandbox);
  const viewer = await open(controls);
  expect(viewer.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(await viewer.next()).toMatchObject({
    reset: true,
    settings: { endpoints: [], faults: { kind: "none" } },
    clock: { now: sandbox.clock.now(), kind: "virtual", isPaused: true },
  });
  expect(await viewer.next()).toMatchObject({ requests: [{ number: 1, status: 200 }] });
  await call(sandbox);
  sandbox.setFaults([{ kind: "reset", times: Infinity }]);
  expect(await viewer.next()).toMatchObject({
    requests: [{ number: 2, row: "blocks.height", status: 200, duration: expect.any(Number) }],
    settings: { faults: { kind: "rules", rules: [{ kind: "reset", times: "all" }] } },
  });
  sandbox.reset();
  expect(await viewer.next()).toMatchObject({ reset: true });
});

test("no message contains a header, a query or a code", async () => {
  const { sandbox, controls } = openControls();
  await call(sandbox);
  sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/h",
    secret: "canary-secret",
    fetch: async () => new Response(),
  });
  await sandbox.webhooks.trigger("cpni.verification.requested", {
    data: { object: { code: "canary" } },
  });
  const viewer = await open(controls);
  const text = JSON.stringify([await viewer.next(), await viewer.next()]);
  expect(text).toContain("cpni.verification.requested");
  expect(text).not.toContain("canary");
});

test("a viewer that reconnects receives what it missed, or everything if the sandbox was restarted", async () => {
  const { sandbox, controls } = openControls();
  await call(sandbox);
  const viewer = await open(controls);
  await viewer.next();
  await viewer.next();
  viewer.leave();
  await call(sandbox);
  const back = await open(controls, viewer.id);
  expect((await back.next()).requests).toMatchObject([{ number: 2 }]);
  for (const unknown of ["other-run.1", "nonsense", viewer.id?.replace(/\d+$/, "999999")]) {
    const stranger = await open(controls, unknown);
    expect(await stranger.next()).toMatchObject({ reset: true });
  }
});

test("a slow viewer receives only the last state of each record", async () => {
  const { sandbox, controls } = openControls();
  await call(sandbox);
  const viewer = await open(controls);
  await viewer.next();
  await viewer.next();
  for (let sent = 0; sent < 50; sent++) await call(sandbox);
  const { requests = [] } = await viewer.next();
  expect(requests.map(({ number }) => number)).toEqual(
    Array.from({ length: 50 }, (_, at) => at + 2),
  );
});

test("the stream ends when the viewer disconnects", async () => {
  const { controls } = openControls();
  const viewer = await open(controls);
  await viewer.next();
  const waiting = viewer.reader.read();
  viewer.leave();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test("the feed has at most 64 readers, and the place of one that leaves is free", async () => {
  const { controls } = openControls();
  const viewers = await Promise.all(Array.from({ length: 64 }, () => open(controls)));
  expect(viewers.every(({ response }) => response.status === 200)).toBe(true);
  const refused = await controls(new Request(FEED));
  expect([refused.status, await refused.text()]).toEqual([
    503,
    "The sandbox has 64 readers of its feed, and accepts no more. Close one of its pages, and try again.",
  ]);
  viewers[0]!.leave();
  await viewers[1]!.reader.cancel();
  for (const status of [200, 200, 503])
    expect((await controls(new Request(FEED))).status).toBe(status);
});

/** The feed of a history in which something happens at will. The whole of it has two messages. */
function openHistory(changes: Partial<StreamSource> = {}) {
  const feed = createFeed();
  const history = createHistory(feed);
  let wholes = 0;
  const stream = createStream(() => ({
    history,
    run: "run-1",
    whole: () => {
      wholes += 1;
      return [{ reset: true, events: [] }, { requests: [] }];
    },
    settings: () => ({ logSize: 7 }) as Settings,
    clock: () => clock,
    ...changes,
  }));
  const happen = (...activities: SandboxActivity[]) => {
    for (const activity of activities) feed.report(activity);
  };
  /** Opens the feed, and reads the whole. */
  const viewer = async () => {
    const opened = await open(stream);
    await opened.next();
    await opened.next();
    return opened;
  };
  return { stream, happen, viewer, wholes: () => wholes };
}

const clock = { now: 5, kind: "virtual", isPaused: true } as const;

const request = (number: number, status?: number) =>
  ({
    kind: status === undefined ? "request" : "response",
    request: {
      number,
      time: 1,
      service: "console",
      row: undefined,
      method: "GET",
      path: "/console/x",
      status,
      duration: undefined,
      fault: undefined,
      done: false,
      headers: { key: "secret" },
    },
  }) as unknown as SandboxActivity;

const rowOf = (number: number, status?: number) => ({
  number,
  time: 1,
  service: "console",
  method: "GET",
  path: "/console/x",
  ...(status !== undefined && { status }),
  done: false,
});

const delivery = (id: string, status: DeliveryRecord["status"]): SandboxActivity => ({
  kind: "delivery",
  delivery: {
    id,
    event_id: "evt_1",
    type: "sim.activated",
    endpoint_id: "we_1",
    status,
    attempts: [],
    nextAttemptAt: 9,
  },
});

const event = { id: "evt_1", type: "sim.activated", created_at: "2026-01-01", livemode: false };

test.each<[string, SandboxActivity[], object]>([
  ["a request", [request(1)], { requests: [rowOf(1)] }],
  [
    "the last state of each request",
    [request(1), request(2), request(1, 201)],
    { requests: [rowOf(1, 201), rowOf(2)] },
  ],
  [
    "events without their data",
    [{ kind: "event", event: { ...event, data: { code: 1 }, idempotency_key: "k" } }],
    { events: [event] },
  ],
  [
    "the last state of each delivery",
    [delivery("del_1", "pending"), delivery("del_2", "pending"), delivery("del_1", "dead")],
    {
      deliveries: [
        expect.objectContaining({ id: "del_1", status: "dead" }),
        expect.objectContaining({ id: "del_2", status: "pending" }),
      ],
    },
  ],
  ["settings", [{ kind: "faults" }, { kind: "clock" }], { settings: { logSize: 7 } }],
  [
    "several things",
    [{ kind: "endpoints" }, request(1)],
    { requests: [rowOf(1)], settings: { logSize: 7 } },
  ],
])("a message has what changed, and nothing else: %s", async (_name, activities, message) => {
  const { happen, viewer } = openHistory();
  const opened = await viewer();
  happen(...activities);
  expect(await opened.next()).toEqual({ ...message, clock });
});

test("changes that happen soon after each other are one message", async () => {
  const { happen, viewer } = openHistory();
  const opened = await viewer();
  const message = opened.next();
  happen(request(1));
  await new Promise(setImmediate);
  happen(request(2));
  expect(await message).toEqual({ requests: [rowOf(1), rowOf(2)], clock });
  happen(request(3));
  expect(await opened.next()).toEqual({ requests: [rowOf(3)], clock });
});

test("a reset among other changes is followed by the whole", async () => {
  const { happen, viewer } = openHistory();
  const opened = await viewer();
  happen(request(1), { kind: "reset" }, request(2));
  expect(await opened.next()).toEqual({ reset: true, events: [], clock });
  expect(await opened.next()).toEqual({ requests: [], clock });
});

test("only the last message of the whole has an id, with the run and the version", async () => {
  const { stream, happen, wholes } = openHistory();
  const response = stream(new Request(FEED));
  expect([...response.headers]).toEqual([
    ["cache-control", "no-store"],
    ["content-type", "text/event-stream; charset=utf-8"],
  ]);
  await new Promise(setImmediate);
  // A viewer that never reads costs nothing.
  expect(wholes()).toBe(0);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader.read()).value;
  const time = `"clock":{"now":5,"kind":"virtual","isPaused":true}`;
  expect(await next()).toBe(`data: {"reset":true,"events":[],${time}}\n\n`);
  expect(await next()).toBe(`id: run-1.0\ndata: {"requests":[],${time}}\n\n`);
  happen(...Array.from({ length: 12 }, () => ({ kind: "faults" }) as const));
  expect(await next()).toBe(`id: run-1.12\ndata: {"settings":{"logSize":7},${time}}\n\n`);
});

test.each(["run-1", "run-1.", "run-1.1x", "run-1.x1", "run-1.-1", "run-2.1", ".1", "run-1.13"])(
  "a viewer whose last id is unknown receives the whole: %s",
  async (id) => {
    const { stream, happen } = openHistory();
    happen(...Array.from({ length: 12 }, () => request(1)));
    const opened = await open(stream, id);
    expect(await opened.next()).toMatchObject({ reset: true });
  },
);

test("a viewer whose last id is known receives what came after it", async () => {
  const { stream, happen, wholes } = openHistory();
  happen(...Array.from({ length: 12 }, (_, at) => request(at + 1)));
  const opened = await open(stream, "run-1.10");
  expect(await opened.next()).toEqual({ requests: [rowOf(11), rowOf(12)], clock });
  expect(wholes()).toBe(0);
});

test("a request that has already ended takes no place", async () => {
  const { stream } = openHistory();
  for (let sent = 0; sent < 65; sent++)
    expect(stream(new Request(FEED, { signal: AbortSignal.abort() })).status).toBe(200);
  const viewers = Array.from({ length: 64 }, () => stream(new Request(FEED)));
  expect(viewers.every(({ status }) => status === 200)).toBe(true);
  expect(stream(new Request(FEED)).status).toBe(503);
});

test("an error while the whole is made ends the feed with it", async () => {
  const { stream } = openHistory({
    whole: () => {
      throw new RangeError("too large");
    },
  });
  const opened = await open(stream);
  await expect(opened.next()).rejects.toThrow(new RangeError("too large"));
});
