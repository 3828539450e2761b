import { expect, test } from "vitest";
import { withCors } from "./cors.ts";
import type { NodeHandler } from "./node-listener.ts";

// The headers for one request. `cors.test.ts` sends requests to whole sandboxes.

const ORIGIN = "http://localhost:5173";
const EXPOSED =
  "ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, date, x-request-id, request-id, idempotency-replayed";
const SENT = "key, authorization, content-type, idempotency-key";
const connection = { remoteAddress: "127.0.0.1", destroy: () => {} };

async function send(
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
    expect(await send("GET", path)).toEqual(expected);
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
  const { headers } = await send("GET", "/console", { origin });
  expect(headers["access-control-allow-origin"]).toBe(isAllowed ? origin : undefined);
});

test.each([
  ["console", "GET, DELETE, POST, PUT"],
  ["ledger", "GET"],
  ["mapper", "POST"],
  ["mobile", "GET, POST, DELETE"],
])("a preflight of the %s is responded to without the service", async (service, methods) => {
  const handler = () => Promise.reject(new Error("handled"));
  const preflight = { "access-control-request-method": "GET" };
  const response = await send("OPTIONS", `/${service}/any`, preflight, handler);
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
  expect(await send(method, "/console", headers)).toEqual(handled);
});

test.each([
  ["traceparent", `${SENT}, traceparent`],
  ["KEY,Content-Type", SENT],
  [" X-One ,\tx-two, x-one", `${SENT}, x-one, x-two`],
  ["x(y, x y, , x:y, ok", `${SENT}, ok`],
  ["!#$%&'*+.^`|~-_9", `${SENT}, !#$%&'*+.^\`|~-_9`],
  ["", SENT],
])("a preflight that names the headers %j allows %j", async (asked, allowed) => {
  const { headers } = await send("OPTIONS", "/console", {
    "access-control-request-method": "GET",
    "access-control-request-headers": asked,
  });
  expect(headers["access-control-allow-headers"]).toBe(allowed);
});
