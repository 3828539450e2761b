import { expect, test } from "vitest";
import { withCors } from "./cors.ts";
import type { NodeHandler } from "./node-listener.ts";
import { type RunningSandbox, startSandbox } from "./start-sandbox.ts";

const HERE = ["http://localhost:5173", "http://[::1]:80"];
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

test("cors: false turns it off", async () => {
  await using sandbox = await startSandbox({ cors: false });
  const asked = await preflight(sandbox, "/console/api/v1/labels");
  expect([asked.ok, corsOf(asked)]).toEqual([false, {}]);
  const response = await send(sandbox, "GET /ledger/v1/blocks/height", { origin: HERE[0]! });
  expect([response.status, corsOf(response)]).toEqual([200, {}]);
  await expect(startSandbox({ cors: "no" as never })).rejects.toThrow("cors must be true or false");
});

// The headers for one request. `cors.test.ts` sends requests to whole sandboxes.

const ORIGIN = "http://localhost:5173";
const EXPOSED =
  "ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, date, x-request-id, request-id, idempotency-replayed";
const SENT = "key, authorization, content-type, idempotency-key";
const connection = { remoteAddress: "127.0.0.1", destroy: () => {} };

async function sendOne(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  handler: NodeHandler = () => new Response("handled", { headers: { vary: "accept" } }),
) {
  const request = new Request(`http://127.0.0.1:4010${path}`, {
    method,
    headers: { origin: ORIGIN, ...headers },
  });
  const response = await withCors(handler)(request, connection);
  const { "content-type": _, ...shown } = Object.fromEntries(response.headers);
  return { status: response.status, body: await response.text(), headers: shown };
}

const handled = {
  status: 200,
  body: "handled",
  headers: {
    "access-control-allow-origin": ORIGIN,
    "access-control-expose-headers": EXPOSED,
    vary: "accept, Origin",
  },
};
const untouched = { status: 200, body: "handled", headers: { vary: "accept" } };

test.each([
  ["/console", handled],
  ["/console/api/v1/labels", handled],
  ["/ledger/v1/blocks", handled],
  ["/mapper/", handled],
  ["/mobile/events?a=1", handled],
  ["/forks/1/console/api", handled],
  ["/forks/1/forks/22/mobile", handled],
  ["/", untouched],
  ["/consoles", untouched],
  ["/console-of-mine", untouched],
  ["/x/console", untouched],
  ["/sandbox/console", untouched],
  ["/forks/console", untouched],
  ["/forks/1/sandbox/settings", untouched],
])(
  "the response for %s has the headers of a service, or stays as it is",
  async (path, expected) => {
    expect(await sendOne("GET", path)).toEqual(expected);
  },
);

test.each([
  ["http://localhost", true],
  ["https://localhost:8443", true],
  ["http://127.8.9.1:1", true],
  ["http://[::1]:80", true],
  ["null", false],
  ["https://example.com", false],
  ["ftp://localhost", false],
  ["httpx://localhost", false],
  ["x-http://localhost", false],
  ["http://", false],
])("a page of %s may read the response: %s", async (origin, isAllowed) => {
  const { headers } = await sendOne("GET", "/console", { origin });
  expect(headers["access-control-allow-origin"]).toBe(isAllowed ? origin : undefined);
});

test.each([
  ["console", "GET, DELETE, POST, PUT"],
  ["ledger", "GET"],
  ["mapper", "POST"],
  ["mobile", "GET, POST, DELETE"],
])("a preflight of the %s is responded to without the service", async (service, methods) => {
  const handler = () => Promise.reject(new Error("handled"));
  const asked = { "access-control-request-method": "GET" };
  const response = await sendOne("OPTIONS", `/${service}/any`, asked, handler);
  expect(response).toMatchObject({
    status: 204,
    body: "",
    headers: {
      "access-control-allow-headers": SENT,
      "access-control-allow-origin": ORIGIN,
      "access-control-expose-headers": EXPOSED,
      vary: "Origin",
    },
  });
  const allowed = response.headers["access-control-allow-methods"] ?? "";
  expect(allowed.split(", ").toSorted()).toEqual(methods.split(", ").toSorted());
});

test.each([
  ["OPTIONS without the header of a preflight", "OPTIONS", {}],
  ["GET with the header of a preflight", "GET", { "access-control-request-method": "GET" }],
])("%s is a request of the service itself", async (_, method, headers) => {
  expect(await sendOne(method, "/console", headers)).toEqual(handled);
});

test.each([
  ["traceparent", `${SENT}, traceparent`],
  ["KEY,Content-Type", SENT],
  [" X-One ,\tx-two, x-one", `${SENT}, x-one, x-two`],
  ["x(y, x y, , x:y, ok", `${SENT}, ok`],
  ["!#$%&'*+.^`|~-_9", `${SENT}, !#$%&'*+.^\`|~-_9`],
  ["", SENT],
])("a preflight that names the headers %j allows %j", async (asked, allowed) => {
  const { headers } = await sendOne("OPTIONS", "/console", {
    "access-control-request-method": "GET",
    "access-control-request-headers": asked,
  });
  expect(headers["access-control-allow-headers"]).toBe(allowed);
});
