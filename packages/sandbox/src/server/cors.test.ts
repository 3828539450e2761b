import { expect, test } from "vitest";
import { type RunningSandbox, startSandbox } from "./start-sandbox.ts";

const HERE = ["http://localhost:5173", "http://127.0.0.1:1", "http://127.8.9.1", "http://[::1]:80"];
const ELSEWHERE = ["https://example.com", "http://localhost.example.com", "null"];

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => /^(access-control-|vary)/.test(name)));

function send(
  { origin }: RunningSandbox,
  route: string,
  headers: Record<string, string>,
): Promise<Response> {
  const [method = "", path = ""] = route.split(" ");
  return fetch(origin + path, { method, headers: { "user-agent": "test", ...headers } });
}

/** Sends the question of a browser before it sends the request itself. */
const preflight = (
  sandbox: RunningSandbox,
  path: string,
  { origin = HERE[0]!, headers = "key" } = {},
) =>
  send(sandbox, `OPTIONS ${path}`, {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": headers,
  });

test.each([
  ["console", "GET, DELETE, POST, PUT"],
  ["ledger", "GET"],
  ["mapper", "POST"],
  ["mobile", "GET, POST, DELETE"],
])("a preflight of the %s allows the methods of its rows, without a key", async (name, methods) => {
  await using sandbox = await startSandbox({ console: { requestsPerMinute: 0 } });
  const response = await preflight(sandbox, `/${name}/any/path`, {
    headers: "key, Traceparent, x(y",
  });
  expect(response.status).toBe(204);
  expect(new Set(response.headers.get("access-control-allow-methods")!.split(", "))).toEqual(
    new Set(methods.split(", ")),
  );
  expect(response.headers.get("access-control-allow-headers")).toBe(
    "key, authorization, content-type, idempotency-key, traceparent",
  );
  expect(sandbox.log.count).toBe(0);
});

test.each(HERE)("a page of %s reads every response, and never with credentials", async (origin) => {
  await using sandbox = await startSandbox({
    faults: [
      { on: "labels.list", kind: "status", status: 503, skip: 1 },
      { on: "labels.list", kind: "garbage" },
    ],
  });
  const key = sandbox.apiKey;
  const statuses = [];
  for (const [route, headers] of [
    ["GET /console/api/v1/labels", { key }],
    ["GET /console/api/v1/labels", { key }],
    ["GET /console/api/v1/labels", {}],
    ["GET /console/api/v1/unknown", { key }],
    ["GET /ledger/v1/blocks/height", {}],
    ["GET /ledger/unknown", {}],
    ["GET /mobile/events", {}],
  ] as const) {
    const response = await send(sandbox, route, { origin, ...headers });
    statuses.push(response.status);
    expect(corsOf(response)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-expose-headers": expect.stringContaining("retry-after"),
      vary: "Origin",
    });
    expect(response.headers.get("access-control-expose-headers")).toMatch(
      /ratelimit-limit.*request-id/,
    );
    await response.body?.cancel();
  }
  expect(statuses).toEqual([200, 503, 403, 404, 200, 404, 401]);
});

test.each(ELSEWHERE)("a page of %s is rejected, and learns nothing", async (origin) => {
  await using sandbox = await startSandbox();
  for (const response of [
    await preflight(sandbox, "/console/api/v1/labels", { origin }),
    await send(sandbox, "GET /console/api/v1/labels", { origin, key: sandbox.apiKey }),
  ]) {
    expect([response.status, corsOf(response)]).toEqual([403, {}]);
    await response.body?.cancel();
  }
});

test("the controls, the feed, snapshots, webhooks and the page have no such header", async () => {
  await using sandbox = await startSandbox();
  const [, token] = sandbox.page.split("#token=");
  const headers = { origin: HERE[0]!, authorization: `Bearer ${token}` };
  for (const path of [
    "/sandbox/settings",
    "/sandbox/feed",
    "/sandbox/requests",
    "/webhooks/endpoints",
    "/",
    "/unknown",
  ]) {
    const response = await send(sandbox, `GET ${path}`, headers);
    expect([path, corsOf(response)]).toEqual([path, {}]);
    await response.body?.cancel();
    expect(corsOf(await preflight(sandbox, path))).toEqual({});
  }
  const snapshot = await fetch(`${sandbox.origin}/sandbox/snapshot`, { method: "POST", headers });
  expect(corsOf(snapshot)).toEqual({});
  await snapshot.body?.cancel();
});

test("a request without an origin gets no such header", async () => {
  await using sandbox = await startSandbox();
  const response = await send(sandbox, "GET /ledger/v1/blocks/height", {});
  expect([response.status, corsOf(response)]).toEqual([200, {}]);
});

test("cors: false turns it off", async () => {
  await using sandbox = await startSandbox({ cors: false });
  const asked = await preflight(sandbox, "/console/api/v1/labels");
  expect([asked.ok, corsOf(asked)]).toEqual([false, {}]);
  const response = await send(sandbox, "GET /ledger/v1/blocks/height", { origin: HERE[0]! });
  expect([response.status, corsOf(response)]).toEqual([200, {}]);
  await expect(startSandbox({ cors: "no" as never })).rejects.toThrow("cors must be true or false");
});
