import type { Clock } from "@fieldmesh/core";
import { expect, test } from "vitest";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import { call } from "../testing/all-state.ts";
import { newDevice } from "../testing/console.ts";
import { openControls } from "../testing/controls.ts";
import { createSteerableClock } from "../time/clocks.ts";
import { describeRewound } from "./describe-rewound.ts";

/** Creates a sandbox, and a function that sends requests to it, such as `POST /sandbox/clock`. */
function controlled(options: SandboxOptions<Clock> = {}) {
  const sandbox = createSandbox<Clock>(options);
  const send = async (route: string, body?: unknown) => {
    const [method = "", path = ""] = route.split(" ");
    const response = await sandbox.handler(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { key: sandbox.apiKey, "content-type": "application/json" },
        ...(method === "POST" && { body: JSON.stringify(body ?? {}) }),
      }),
    );
    const text = await response.text();
    return {
      status: response.status,
      body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text,
    };
  };
  const labels = async (path = "") =>
    ((await send(`GET ${path}/console/api/v1/labels`)).body as unknown[]).length;
  const addLabel = (name: string, path = "") =>
    send(`POST ${path}/console/api/v1/labels`, { name });
  return { sandbox, send, labels, addLabel };
}

const EMPTY = { console: { data: "empty" } } as const;

test("a snapshot is created and restored", async () => {
  const { send, labels, addLabel } = controlled(EMPTY);
  await addLabel("Before");
  const { status, body } = await send("POST /sandbox/snapshot");
  expect([status, body.format]).toEqual([200, "fieldmesh-sandbox-snapshot"]);
  await addLabel("After");
  expect(await send("POST /sandbox/restore", body)).toMatchObject({ status: 200 });
  expect(await labels()).toBe(1);
  expect(await send("POST /sandbox/restore", { ...body, seed: 2 })).toMatchObject({
    status: 400,
    body: expect.stringContaining("another seed"),
  });
  expect(await send("GET /sandbox/snapshot")).toMatchObject({ status: 404 });
});

test("a fork has its own paths and controls, and can be ended", async () => {
  const { sandbox, send, labels, addLabel } = controlled(EMPTY);
  await addLabel("Both");
  const { status, body } = await send("POST /sandbox/forks");
  expect([status, body]).toEqual([
    201,
    {
      id: "1",
      path: "/forks/1",
      services: {
        console: "/forks/1/console",
        ledger: "/forks/1/ledger",
        mapper: "/forks/1/mapper",
        mobile: "/forks/1/mobile",
      },
    },
  ]);
  await addLabel("Fork", body.path);
  expect([await labels(), await labels(body.path)]).toEqual([1, 2]);
  const nested = await send(`POST ${body.path}/sandbox/forks`);
  expect(await labels(`${body.path}${nested.body.path}`)).toBe(2);
  expect(sandbox.log.count).toBe(2);
  expect((await send("GET /sandbox/forks")).body).toEqual([body]);
  expect((await send("DELETE /sandbox/forks/1")).status).toBe(204);
  expect((await send("DELETE /sandbox/forks/1")).status).toBe(400);
  expect((await send(`GET ${body.path}/console/api/v1/labels`)).status).toBe(404);
  expect(await labels()).toBe(1);
});

test("the sandbox steps back to before a request", async () => {
  const { sandbox, send, labels, addLabel } = controlled(EMPTY);
  await addLabel("One");
  await addLabel("Two");
  const [, second] = sandbox.log.requests();
  expect((await send("POST /sandbox/back", { before: second!.number })).status).toBe(200);
  expect(await labels()).toBe(1);
  expect(await send("POST /sandbox/back", { before: 99 })).toMatchObject({
    status: 400,
    body: expect.stringContaining("Request 99"),
  });
  expect(await send("POST /sandbox/back", { before: "two" })).toMatchObject({ status: 400 });
});

/** A sandbox with an endpoint and a fault that were set up after the first of its requests. */
async function rewindable() {
  const clock = createSteerableClock({ start: "2026-01-01T00:00:00Z", paused: true });
  const all = controlled({ ...EMPTY, clock });
  const { sandbox, send, addLabel } = all;
  await addLabel("Before");
  const endpoint = sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/",
    fetch: async () => new Response(),
  });
  const secret = endpoint.secrets[0]!.reveal();
  await addLabel("After");
  await send("POST /console/api/v1/devices", newDevice());
  sandbox.setFaults([{ kind: "reset", on: "labels.get" }]);
  await sandbox.webhooks.trigger("plan.created");
  await sandbox.webhooks.advance(4 * 86_400_000);
  return { ...all, clock, endpoint, secret, second: sandbox.log.requests()[1]!.number };
}

const REWOUND = { requests: 2, devices: 1, deliveries: 1, ms: 4 * 86_400_000 };

test("a rewind names what it removes, and keeps webhook endpoints, their secrets and faults", async () => {
  const { sandbox, send, labels, clock, endpoint, secret, second } = await rewindable();
  const expected = { before: second, ...REWOUND };
  expect((await send(`GET /sandbox/rewind/${second}`)).body).toEqual(expected);
  expect(sandbox.log.count).toBe(3);
  expect((await send("POST /sandbox/rewind", { before: second })).body).toEqual(expected);
  expect(await labels()).toBe(1);
  expect(sandbox.webhooks.deliveries()).toEqual([]);
  expect(sandbox.webhooks.events()).toEqual([]);
  expect(clock.now()).toBe(Date.parse("2026-01-01T00:00:00Z"));
  expect(sandbox.webhooks.endpoints).toMatchObject([{ id: endpoint.id }]);
  expect(sandbox.webhooks.endpoints[0]?.secrets[0]?.reveal()).toBe(secret);
  expect((await send("GET /sandbox/settings")).body.faults.rules).toEqual([
    { kind: "reset", on: "labels.get" },
  ]);
});

test("a later rewind repeats events with the endpoints that an earlier one has kept", async () => {
  const { sandbox, send, addLabel, second } = await rewindable();
  await send("POST /sandbox/rewind", { before: second });
  const kept = sandbox.webhooks.endpoints.map(({ id }) => id);
  const { id } = sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/",
    fetch: async () => new Response(),
  });
  expect(kept).not.toContain(id);
  await sandbox.webhooks.trigger("plan.created");
  const deliveries = sandbox.webhooks.deliveries();
  expect(deliveries).toHaveLength(2);
  await addLabel("Last");
  const last = sandbox.log.requests().at(-1)!.number;
  await send("POST /sandbox/rewind", { before: last });
  expect(sandbox.webhooks.deliveries()).toEqual(deliveries);
});

test("undo restores requests, data, deliveries and the clock, and going back works again", async () => {
  const { sandbox, send, labels, clock, second } = await rewindable();
  const state = sandbox.snapshot();
  const numbers = () => sandbox.log.requests().map(({ number }) => number);
  const before = numbers();
  await send("POST /sandbox/rewind", { before: second });
  const settings = async () => (await send("GET /sandbox/settings")).body;
  expect((await settings()).undoableAfter).toBe(before.at(-1));
  expect(await send("POST /sandbox/undo")).toMatchObject({ status: 200 });
  expect(sandbox.snapshot()).toEqual(state);
  expect(numbers()).toEqual(before);
  expect(sandbox.log.count).toBe(before.length);
  expect(clock.now()).toBe(state.time);
  expect((await send(`GET /sandbox/rewind/${second}`)).body).toMatchObject(REWOUND);
  await send("POST /sandbox/rewind", { before: second });
  expect(await labels()).toBe(1);
});

test.each<[string, (own: Awaited<ReturnType<typeof rewindable>>) => unknown]>([
  ["a request", ({ addLabel }) => addLabel("Next")],
  ["an event", ({ sandbox }) => sandbox.webhooks.trigger("plan.created")],
  ["a reset", ({ sandbox }) => sandbox.reset()],
  ["a restore", ({ sandbox }) => sandbox.restore(sandbox.snapshot())],
  ["a first undo", ({ send }) => send("POST /sandbox/undo")],
])("after %s, there is nothing to undo", async (_name, work) => {
  const own = await rewindable();
  await own.send("POST /sandbox/rewind", { before: own.second });
  await work(own);
  expect(await own.send("POST /sandbox/undo")).toMatchObject({
    status: 400,
    body: expect.stringContaining("nothing to undo"),
  });
  expect((await own.send("GET /sandbox/settings")).body).not.toHaveProperty("undoableAfter");
});

test("an undo keeps an endpoint that was registered after the rewind", async () => {
  const { sandbox, send, second } = await rewindable();
  await send("POST /sandbox/rewind", { before: second });
  const { id } = sandbox.webhooks.register({ url: "http://127.0.0.1:3001/" });
  await send("POST /sandbox/undo");
  expect(sandbox.webhooks.endpoints).toHaveLength(2);
  expect(sandbox.webhooks.endpoints[1]?.id).toBe(id);
});

test("a rewind to a request that is not in the log is rejected", async () => {
  const { send } = await rewindable();
  for (const route of ["GET /sandbox/rewind/99", "POST /sandbox/rewind"])
    expect(await send(route, { before: 99 })).toMatchObject({
      status: 400,
      body: expect.stringContaining("Request 99"),
    });
});

test("the clock is paused, advanced to the next attempt of a delivery, and resumed", async () => {
  const clock = createSteerableClock({ start: "2026-01-01T00:00:00Z", paused: true });
  const { sandbox, send } = controlled({ clock });
  let status = 500;
  sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/",
    fetch: async () => new Response(null, { status }),
  });
  await sandbox.webhooks.trigger("plan.created");
  expect((await send("GET /sandbox/clock")).body).toEqual({
    time: Date.parse("2026-01-01T00:00:00Z"),
    iso: "2026-01-01T00:00:00.000Z",
    kind: "steerable",
    paused: true,
  });
  status = 200;
  expect((await send("POST /sandbox/clock", { action: "advance", ms: 30_000 })).body).toMatchObject(
    {
      iso: "2026-01-01T00:00:30.000Z",
    },
  );
  expect(sandbox.webhooks.deliveries()).toMatchObject([{ status: "delivered" }]);
  expect((await send("POST /sandbox/clock", { action: "run" })).body).toMatchObject({
    paused: false,
  });
  expect((await send("POST /sandbox/clock", { action: "pause" })).body).toMatchObject({
    paused: true,
  });
  expect((await send("POST /sandbox/clock", { action: "jump" })).status).toBe(400);
});

test.each([1e300, 9e15])(
  "an advance by %s ms, past the last date, is rejected without effect",
  async (ms) => {
    const clock = createSteerableClock({ start: "2026-01-01T00:00:00Z", paused: true });
    const { send } = controlled({ clock });
    expect(await send("POST /sandbox/clock", { action: "advance", ms })).toMatchObject({
      status: 400,
      body: expect.stringContaining("no date that late"),
    });
    expect((await send("GET /sandbox/clock")).body).toMatchObject({
      iso: "2026-01-01T00:00:00.000Z",
    });
    expect((await send("POST /sandbox/forks")).status).toBe(201);
    const { body } = await send("POST /sandbox/snapshot");
    expect(await send("POST /sandbox/restore", { ...body, time: ms })).toMatchObject({
      status: 400,
    });
    expect((await send("GET /sandbox/clock")).status).toBe(200);
  },
);

const START = "2026-01-01T00:00:00Z";
const VIRTUAL = {
  time: Date.parse("2026-11-20T08:00:00Z"),
  iso: "2026-11-20T08:00:00.000Z",
  kind: "virtual",
  paused: true,
};

/** Options with a clock that can be paused. */
const steerable = (paused = true): SandboxOptions =>
  ({ clock: createSteerableClock({ start: START, paused }) }) as unknown as SandboxOptions;

/** Options with a clock that cannot be set. */
const fixed = {
  clock: { now: () => 7, sleep: async () => {} },
} as unknown as SandboxOptions;

const NOT_VALID = "it is missing, unknown or not valid.";

test.each([
  ["POST /back", {}, "before"],
  ["POST /back", { before: 0 }, "before"],
  ["POST /back", { before: "1" }, "before"],
  ["POST /back", { before: 1, more: 1 }, "more"],
  ["POST /rewind", { before: 0 }, "before"],
  ["POST /clock", {}, "action"],
  ["POST /clock", { action: "jump" }, "action"],
  ["POST /clock", { action: "pause", more: 1 }, "more"],
  ["POST /clock", { action: "advance", ms: -1 }, "ms"],
  ["POST /clock", { action: "advance", ms: "1" }, "ms"],
  ["POST /clock", { action: "advance", ms: 1, more: 1 }, "more"],
])("%s %j is rejected, and what does not fit is named", async (route, body, name) => {
  const { sandbox, send } = openControls(steerable());
  await call(sandbox, "console GET /api/v1/labels");
  expect(await send(route, body)).toEqual({ status: 400, body: `Check ${name}: ${NOT_VALID}` });
});

test.each<[string, SandboxOptions, object, string]>([
  [
    "a virtual clock",
    {},
    { action: "run" },
    "The clock of this sandbox cannot run: pass clock: createSteerableClock().",
  ],
  [
    "a fixed clock",
    fixed,
    { action: "advance", ms: 1 },
    "The clock of this sandbox cannot be advanced.",
  ],
])("%s does not support every action: case %#", async (_name, options, body, message) => {
  expect(await openControls(options).send("POST /clock", body)).toEqual({
    status: 400,
    body: message,
  });
});

test("a rewind, its undo and a moved clock are reported with what they changed", async () => {
  const { sandbox, send } = openControls();
  await call(sandbox, "console GET /api/v1/labels");
  await sandbox.clock.advance(1_000);
  const reported: unknown[] = [];
  sandbox.watch((activity) => void reported.push(activity));
  const rewound = { before: 1, requests: 1, devices: 0, deliveries: 0, ms: 1_000 };
  expect(await send("GET /rewind/1")).toEqual({ status: 200, body: rewound });
  expect(reported).toEqual([]);
  expect(await send("POST /rewind", { before: 1 })).toEqual({ status: 200, body: rewound });
  expect(reported.splice(0)).toEqual([{ kind: "reset" }, { kind: "rewind", rewound }]);
  expect(await send("POST /undo", {})).toEqual({
    status: 200,
    body: { ...VIRTUAL, time: VIRTUAL.time + 1_000, iso: "2026-11-20T08:00:01.000Z" },
  });
  expect(reported.splice(0)).toEqual([{ kind: "reset" }, { kind: "undo" }]);
  await send("POST /clock", { action: "advance", ms: 1 });
  expect(reported).toEqual([{ kind: "clock" }]);
});

const DAYS = 86_400_000;
const NOTHING = { before: 1, requests: 1, devices: 0, deliveries: 0, ms: 0 };

test.each([
  [
    { requests: 10, devices: 3, deliveries: 4, ms: 4 * DAYS },
    "removes 10 requests, 3 devices, 4 deliveries; sets the clock back 4 days",
  ],
  [{ requests: 1, devices: 0, deliveries: 0, ms: 999 }, "removes 1 request"],
  [
    { requests: 1_200, devices: -1, deliveries: 1, ms: 3_600_000 },
    "removes 1,200 requests, 1 delivery; brings back 1 device; sets the clock back 1 hour",
  ],
  [
    { requests: 2, devices: -1_200, deliveries: -2 },
    "removes 2 requests; brings back 1,200 devices, 2 deliveries",
  ],
])("what a rewind removes is named with its numbers: %j", (rewound, text) => {
  expect(describeRewound({ ...NOTHING, ...rewound })).toBe(text);
});

test.each([
  [1_000, "1 second"],
  [150_000, "3 minutes"],
  [3_600_000, "1 hour"],
  [DAYS, "1 day"],
  [400 * DAYS, "400 days"],
])("a time of %d ms is written in its largest unit", (ms, text) => {
  expect(describeRewound({ ...NOTHING, ms })).toBe(
    `removes 1 request; sets the clock back ${text}`,
  );
});
