import { stripVTControlCharacters } from "node:util";
import type { Clock } from "@fieldmesh/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../engine/time/clocks.ts";
import { type RunningSandbox, startSandbox } from "../../server/start-sandbox.ts";
import { testContext } from "../testing/context.ts";
import { showActivity } from "./show-activity.ts";

const START = "2026-11-20T08:00:00Z";
/** Replaces the hour, which depends on the time zone of the machine, and the duration, which depends on its speed. */
const masked = (line: string): string =>
  stripVTControlCharacters(line)
    .replaceAll(/\d\d:(\d\d:\d\d)/g, "hh:$1")
    .replaceAll(/\d+ ms/g, "n ms")
    .replaceAll(/evt_\w+/g, "evt_…");

let sandbox: RunningSandbox<Clock>;
beforeEach(async () => {
  const clock = createVirtualClock(START);
  sandbox = (await startSandbox({ seed: 1, clock })) as RunningSandbox<Clock>;
});
afterEach(() => sandbox.close());

const get = (path: string, init?: RequestInit) =>
  fetch(`${sandbox.origin}${path}`, init).catch(() => undefined);

test("each request is printed on one line with its time, service, status, call and duration", async () => {
  const { output, lines } = testContext();
  const stop = showActivity(sandbox, output, "fieldmesh-sandbox");
  await get("/console/api/v1/labels?name=canary", { headers: { key: sandbox.apiKey } });
  await get("/console/api/v1/labels", { headers: { key: "canary" } });
  await get("/console/%1b[2J", { headers: { key: sandbox.apiKey } });
  sandbox.setFaults([
    { on: "labels.list", kind: "reset" },
    { on: "labels.list", kind: "status", status: 503 },
  ]);
  await get("/console/api/v1/labels", { headers: { key: sandbox.apiKey } });
  await get("/console/api/v1/labels", { headers: { key: sandbox.apiKey } });
  stop();
  await get("/ledger/v1/blocks/height");
  expect(lines.map(masked)).toEqual([
    "hh:00:00  console  GET     404  /console/api/v1/labels  labels.find  n ms",
    "hh:00:00  console  GET     401  /console/api/v1/labels  labels.list  n ms",
    "hh:00:00  console  GET     404  /console/%1b[2J  n ms",
    "hh:00:00  console  GET     ---  /console/api/v1/labels  labels.list  n ms  fault: reset",
    "hh:00:00  console  GET     503  /console/api/v1/labels  labels.list  n ms  fault: status",
  ]);
  expect(lines.join("\n")).not.toContain(sandbox.apiKey);
});

test("each attempt of a delivery is printed on one line, with the time of the next attempt or the end", async () => {
  const { output, lines } = testContext();
  showActivity(sandbox, output, "fieldmesh-sandbox");
  let status = 500;
  const { id } = sandbox.webhooks.register({
    url: "https://hooks.test/?token=canary#canary",
    fetch: async () => new Response(null, { status }),
  });
  await sandbox.webhooks.trigger("sim.activated");
  await sandbox.webhooks.advance(29_999);
  status = 204;
  await sandbox.webhooks.advance(1);
  sandbox.webhooks.disturb({ lostResponses: 1 });
  await sandbox.webhooks.trigger("plan.created");
  sandbox.webhooks.unregister(id);
  const url = "https://hooks.test/";
  expect(lines.map(masked)).toEqual([
    `hh:00:00  webhook  POST    500  ${url}  sim.activated  evt_…  n ms  retrying, next at hh:00:30`,
    `hh:00:30  webhook  POST    204  ${url}  sim.activated  evt_…  n ms  attempt 2  delivered`,
    `hh:00:30  webhook  POST    ---  ${url}  plan.created  evt_…  n ms  response lost  retrying, next at hh:01:00`,
  ]);
});

test("with --json, each request and attempt is one object without headers, query and body", async () => {
  const { output, lines } = testContext({ isJson: true });
  showActivity(sandbox, output, "fieldmesh-sandbox");
  await get("/console/api/v1/labels?name=canary", { headers: { key: sandbox.apiKey } });
  sandbox.webhooks.register({ url: "https://hooks.test/", fetch: async () => new Response() });
  const { id } = await sandbox.webhooks.trigger("sim.activated");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      type: "request",
      number: 1,
      time: "2026-11-20T08:00:00.000Z",
      service: "console",
      method: "GET",
      path: "/console/api/v1/labels",
      call: "labels.find",
      status: 404,
      duration: expect.any(Number) as number,
      fault: null,
      done: false,
    },
    expect.objectContaining({ type: "delivery", event_id: id, status: "delivered" }),
  ]);
});

test("with --json, an attempt of a delivery has the names and times of the service", async () => {
  const { output, lines } = testContext({ isJson: true });
  showActivity(sandbox, output, "fieldmesh-sandbox");
  const { id } = sandbox.webhooks.register({
    url: "https://hooks.test/",
    fetch: async () => new Response(null, { status: 500 }),
  });
  const event = await sandbox.webhooks.trigger("sim.activated");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      type: "delivery",
      event_type: "sim.activated",
      id: expect.any(String) as string,
      event_id: event.id,
      endpoint_id: id,
      status: "pending",
      next_attempt_at: "2026-11-20T08:00:30.000Z",
      attempts: [
        {
          at: "2026-11-20T08:00:00.000Z",
          duration: expect.any(Number) as number,
          outcome: "rejected",
          status: 500,
        },
      ],
    },
  ]);
});

test("with --json, a rewind and its undo are one object each", async () => {
  const { output, lines } = testContext({ isJson: true });
  await get("/console/api/v1/labels", { headers: { key: sandbox.apiKey } });
  showActivity(sandbox, output, "fieldmesh-sandbox");
  await control("/sandbox/rewind", { before: 1 });
  await control("/sandbox/undo", {});
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { type: "rewind", before: 1, requests: 1, devices: 0, deliveries: 0, ms: 0 },
    { type: "undo" },
  ]);
});

test("a rejected request with the key of another service says whose key it is", async () => {
  const { output, lines } = testContext();
  showActivity(sandbox, output, "fieldmesh-sandbox");
  const authorization = `Bearer ${sandbox.console.apiKey}`;
  await get("/mobile/events", { headers: { authorization } });
  expect(lines.map(masked)).toEqual([
    "hh:00:00  mobile   GET     401  /mobile/events  events.list  n ms  this is the key of the console",
  ]);
});

test("the sandbox continues if its output can no longer be written", async () => {
  const { output } = testContext();
  const line = () => Promise.reject(new Error("EPIPE"));
  showActivity(sandbox, { ...output, line }, "fieldmesh-sandbox");
  expect((await get("/ledger/v1/blocks/height"))?.status).toBe(200);
});

const control = (path: string, body: object) =>
  sandbox.handler(
    new Request(`http://127.0.0.1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

test("a rewind and its undo are one line each", async () => {
  const { output, lines } = testContext();
  await get("/console/api/v1/labels", { headers: { key: sandbox.apiKey } });
  showActivity(sandbox, output, "fieldmesh-sandbox");
  await control("/sandbox/rewind", { before: 1 });
  await control("/sandbox/undo", {});
  expect(lines.map(masked)).toEqual([
    "hh:00:00  sandbox  went back to before request 1, which removes 1 request. To undo it: fieldmesh-sandbox undo",
    "hh:00:00  sandbox  undone: everything is as it was before going back",
  ]);
});

beforeEach(async () => {
  vi.stubEnv("FORCE_COLOR", "1");
  vi.stubEnv("NO_COLOR", undefined);
  const clock = createVirtualClock("2026-11-20T08:00:00Z");
  sandbox = (await startSandbox({ clock })) as RunningSandbox<Clock>;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await sandbox.close();
});

const COLORS = ["red", "green", "yellow", "", "magenta"] as const;

/** Writes colors as tags, and masks the hour, which depends on the time zone of the machine, the duration and the id. */
const tagged = (line: string): string =>
  line
    // oxlint-disable-next-line no-control-regex -- how a terminal is told a color
    .replace(/\u001B\[(\d+)m/g, (_, code: string) => {
      if (code === "2") return "<dim>";
      return code.startsWith("3") && code !== "39" ? `<${COLORS[Number(code) - 31]}>` : "</>";
    })
    .replaceAll(/\d\d:(\d\d:\d\d)/g, "hh:$1")
    .replace(/\d+ ms/, "n ms")
    .replace(/evt_\w+/, "evt_…");

test.each([
  [200, "green"],
  [302, "green"],
  [399, "green"],
  [400, "yellow"],
  [499, "yellow"],
  [500, "red"],
  [503, "red"],
])("the status %i of a delivery is %s", async (status, color) => {
  const { output, lines } = testContext();
  showActivity(sandbox, output, "fieldmesh-sandbox");
  const fetch = async () => new Response(null, { status });
  sandbox.webhooks.register({ url: "https://hooks.test/", fetch });
  await sandbox.webhooks.trigger("sim.activated");
  const end = status === 200 ? "delivered" : "retrying, next at hh:00:30";
  expect(lines.map(tagged)).toEqual([
    `<dim>hh:00:00</>  webhook  POST    <${color}>${status}</>  https://hooks.test/  <dim>sim.activated  evt_…</>  <dim>n ms</>  ${end}`,
  ]);
});

test("what was broken off is red, a fault is magenta, and a hint is yellow", async () => {
  const { output, lines } = testContext();
  const send = (key: string) =>
    fetch(`${sandbox.origin}/console/api/v1/labels`, { headers: { key } }).catch(() => undefined);
  showActivity(sandbox, output, "fieldmesh-sandbox");
  sandbox.setFaults([{ on: "labels.list", kind: "reset" }]);
  await send(sandbox.apiKey);
  await send(sandbox.mobile.apiKey ?? "");
  const line = (status: string, note: string) =>
    `<dim>hh:00:00</>  console  GET     ${status}  /console/api/v1/labels  <dim>labels.list</>  <dim>n ms</>  ${note}`;
  expect(lines.map(tagged)).toEqual([
    line("<red>---</>", "<magenta>fault: reset</>"),
    line("<yellow>401</>", "<yellow>this is the key of the mobile service</>"),
  ]);
});
