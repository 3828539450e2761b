import { request as httpRequest } from "node:http";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createSandbox } from "../engine/index.ts";
import { withToken, onlyOwn, limitBody } from "./access.ts";
import type { NodeHandler } from "./node-listener.ts";
import { type RunningSandbox, startSandbox } from "./start-sandbox.ts";

const tokenOf = ({ page }: RunningSandbox): string => page.split("#token=")[1] ?? "";
const JSON_TYPE = { "content-type": "application/json" };

/** Returns the status of each request by route. */
async function statuses(
  { origin }: RunningSandbox,
  routes: readonly string[],
  headers: Record<string, string> = {},
): Promise<Record<string, number>> {
  const entries = routes.map(async (route) => {
    const [method = "", path = ""] = route.split(" ");
    const response = await fetch(origin + path, {
      method,
      headers: { ...headers, ...(method === "POST" && JSON_TYPE) },
      ...(method === "POST" && { body: "{}" }),
    });
    await response.body?.cancel();
    return [route, response.status] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const READS = [
  "GET /sandbox/settings",
  "GET /sandbox/requests",
  "GET /sandbox/feed",
  "GET /sandbox/state",
  "GET /webhooks/endpoints",
  "GET /webhooks/deliveries",
];
const WRITES = [
  "POST /sandbox/keys",
  "POST /sandbox/faults",
  "POST /sandbox/reset",
  "POST /sandbox/events",
  "POST /sandbox/requests/1/reveal",
  "POST /sandbox/requests/1/resend",
  "POST /sandbox/endpoints/we_1/reveal",
  "POST /webhooks/endpoints",
  "POST /webhooks/trigger",
  "POST /webhooks/disturb",
  "DELETE /webhooks/endpoints/we_1",
  "POST /forks/1/sandbox/reset",
  "POST /forks/1/webhooks/trigger",
];

test("on this machine, reads require no token, and everything else does", async () => {
  await using sandbox = await startSandbox();
  expect(new Set(Object.values(await statuses(sandbox, READS)))).toEqual(new Set([200]));
  expect(new Set(Object.values(await statuses(sandbox, WRITES)))).toEqual(new Set([401]));
  for (const authorization of ["Bearer wrong", `Basic ${tokenOf(sandbox)}`, tokenOf(sandbox)])
    expect(await statuses(sandbox, ["POST /sandbox/reset"], { authorization })).toEqual({
      "POST /sandbox/reset": 401,
    });
  const authorization = `Bearer ${tokenOf(sandbox)}`;
  expect(Object.values(await statuses(sandbox, WRITES, { authorization }))).not.toContain(401);
});

test("under a public address, reads require the token too", async () => {
  await using sandbox = await startSandbox({ host: "0.0.0.0" });
  const all = [...READS, ...WRITES, "GET /"];
  expect(new Set(Object.values(await statuses(sandbox, all)))).toEqual(new Set([401]));
  const authorization = `Bearer ${tokenOf(sandbox)}`;
  expect(new Set(Object.values(await statuses(sandbox, READS, { authorization })))).toEqual(
    new Set([200]),
  );
  // The services have their own keys.
  expect(await statuses(sandbox, ["GET /ledger/v1/blocks/height"])).toEqual({
    "GET /ledger/v1/blocks/height": 200,
  });
});

test.each([
  ["127.0.0.1", 200],
  ["0.0.0.0", 400],
])("a signing secret is shown at %s with the status %i", async (host, status) => {
  await using sandbox = await startSandbox({ host });
  const { id, secrets } = sandbox.webhooks.register({ url: "http://127.0.0.1:3000/hooks" });
  const post = (path: string) =>
    fetch(sandbox.origin + path, {
      method: "POST",
      headers: { ...JSON_TYPE, authorization: `Bearer ${tokenOf(sandbox)}` },
      body: "{}",
    });
  expect((await post("/sandbox/forks")).status).toBe(201);
  for (const path of [
    `/sandbox/endpoints/${id}/reveal`,
    "/sandbox/snapshot",
    "/forks/1/sandbox/snapshot",
  ]) {
    const response = await post(path);
    const text = await response.text();
    expect([path, response.status, text.includes(secrets[0]!.reveal())]).toEqual([
      path,
      status,
      status === 200,
    ]);
  }
});

test("each start has its own token, which is hidden when the sandbox is printed", async () => {
  await using one = await startSandbox({ seed: 1 });
  await using other = await startSandbox({ seed: 1 });
  expect(one.page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{36}$/);
  expect(tokenOf(one)).not.toBe(tokenOf(other));
});

test("a printed sandbox shows its addresses, and no token, key or signing secret", async () => {
  await using started = await startSandbox();
  const all = { started, created: createSandbox(), fork: started.fork() };
  for (const [name, sandbox] of Object.entries(all)) {
    const { secrets } = sandbox.webhooks.register({ url: RECEIVER });
    const { apiKey, console, mobile } = sandbox;
    const keys = [apiKey, console.unconfirmedApiKey, mobile.apiKey, mobile.liveApiKey];
    const others = [tokenOf(started), secrets[0]!.reveal(), ...Object.values(mobile.keys)];
    const hidden = [...keys, ...others];
    const printed = [sandbox, console, mobile, sandbox.webhooks, { sandbox }].flatMap((value) => [
      inspect(value, { depth: 9 }),
      inspect(value, { depth: 9, showHidden: true, getters: true }),
      JSON.stringify(value),
    ]);
    for (const text of printed)
      expect([name, hidden.filter((each) => text.includes(each))]).toEqual([name, []]);
    expect(JSON.parse(JSON.stringify(sandbox))).toMatchObject({
      console: { baseUrl: console.baseUrl, apiKey: "[redacted]" },
      ledger: { baseUrl: sandbox.ledger.baseUrl },
    });
    expect(inspect(sandbox)).toContain(sandbox.mapper.baseUrl);
    // The members are those of a client's options, as before.
    expect({ ...console }).toEqual({ baseUrl: console.baseUrl, fetch: console.fetch, apiKey });
  }
});

test("a page of the sandbox itself may change it, also under a public address", async () => {
  await using sandbox = await startSandbox({ host: "0.0.0.0" });
  const post = (origin: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const request = httpRequest({
        port: sandbox.port,
        host: "127.0.0.1",
        path: "/sandbox/reset",
        method: "POST",
        headers: {
          ...JSON_TYPE,
          host: `10.0.0.7:${sandbox.port}`,
          origin,
          authorization: `Bearer ${tokenOf(sandbox)}`,
        },
      });
      request.on("response", (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on("error", reject);
      request.end("{}");
    });
  expect(await post(`http://10.0.0.7:${sandbox.port}`)).toBe(204);
  expect(await post("http://10.0.0.7:1")).toBe(403);
  expect(await post("https://attacker.example")).toBe(403);
});

test("no byte of a body is read for a request to the controls without the token", async () => {
  await using sandbox = await startSandbox();
  sandbox.restore(sandbox.snapshot());
  for (const path of [
    "/sandbox/restore",
    "/forks/1/sandbox/restore",
    "/sandbox/events",
    "/sandbox/requests/1/resend",
    "/webhooks/endpoints",
    "/webhooks/trigger",
    "/webhooks/deliveries/del_1/replay",
  ]) {
    const sent = httpRequest(`${sandbox.origin}${path}`, { method: "POST", headers: JSON_TYPE });
    // It never ends: only a response that comes before the body is one.
    sent.write("a");
    const status = await new Promise((resolve, reject) => {
      sent.on("response", (response) => resolve(response.statusCode));
      sent.on("error", reject);
      setTimeout(() => resolve("no response"), 1_000).unref();
    });
    sent.destroy();
    expect([path, status]).toEqual([path, 401]);
  }
});

test("a snapshot that is larger than other bodies is restored", async () => {
  await using sandbox = await startSandbox();
  const snapshot = JSON.stringify(sandbox.snapshot()).replace(/}$/, `${" ".repeat(5_000_000)}}`);
  const response = await fetch(`${sandbox.origin}/sandbox/restore`, {
    method: "POST",
    headers: { ...JSON_TYPE, authorization: `Bearer ${tokenOf(sandbox)}` },
    body: snapshot,
  });
  expect(response.status).toBe(200);
});

const RECEIVER = "http://127.0.0.1:9";
const PRIVATE = "http://127.0.0.1:9/hooks?token=canary-query#canary-hash";

test("the address of a receiver has no query and no user where no token is needed", async () => {
  await using sandbox = await startSandbox();
  const headers = { ...JSON_TYPE, authorization: `Bearer ${tokenOf(sandbox)}` };
  const register = (url: string) =>
    fetch(`${sandbox.origin}/webhooks/endpoints`, {
      method: "POST",
      headers,
      body: JSON.stringify({ url }),
    });
  expect((await register(PRIVATE)).status).toBe(201);
  expect((await register("http://canary-user:canary-password@127.0.0.1:9/")).status).toBe(400);
  await sandbox.webhooks.trigger("sim.activated");
  const [delivery] = sandbox.webhooks.deliveries();
  const read = async (path: string) => (await fetch(sandbox.origin + path)).text();
  for (const path of [
    "/webhooks/endpoints",
    "/webhooks/deliveries",
    "/sandbox/settings",
    "/sandbox/event-types/sim.activated/receivers",
    `/sandbox/deliveries/${delivery!.id}`,
  ]) {
    const text = await read(path);
    expect([path, text.includes("canary"), text.length > 2]).toEqual([path, false, true]);
  }
  expect(JSON.parse(await read("/webhooks/endpoints"))).toMatchObject([
    { url: `${RECEIVER}/hooks` },
  ]);
  // With the token, a copy of the delivery has what was sent.
  const sent = await fetch(`${sandbox.origin}/sandbox/deliveries/${delivery!.id}/sent`, {
    method: "POST",
    headers,
    body: '{"attempt":1}',
  });
  expect(await sent.json()).toMatchObject({ url: PRIVATE });
});

// What each gate in front of a sandbox rejects. The tests of `start-sandbox.ts` send the same over a socket.

const connection = { remoteAddress: "127.0.0.1", destroy: () => {} };

/** A handler that keeps the requests that reach it. */
function reached() {
  const requests: Request[] = [];
  const handler: NodeHandler = (request) => {
    requests.push(request);
    return new Response("reached");
  };
  return { requests, handler };
}

const HERE = "http://127.0.0.1:4010";
const isReached = async (gate: NodeHandler, request: Request) =>
  (await (await gate(request, connection)).text()) === "reached";

test.each([
  ["/sandbox", true],
  ["/sandbox/reset", true],
  ["/webhooks", true],
  ["/webhooks/trigger", true],
  ["/forks/1/sandbox/reset", true],
  ["/forks/1/forks/2/webhooks", true],
  ["/", false],
  ["/sandboxes", false],
  ["/webhooks-of-mine", false],
  ["/console/sandbox", false],
  ["/console/forks/1/sandbox", false],
  ["/forks/sandbox", false],
  ["/forks/1/console/api", false],
  ["/forks/1", false],
])("a POST to %s requires the token: %s", async (path, isClosed) => {
  const { handler } = reached();
  const gate = withToken(handler, { token: "t", isPublic: false });
  const request = new Request(HERE + path, { method: "POST" });
  expect(await isReached(gate, request)).toBe(!isClosed);
});

test.each([
  ["Bearer token-1", true],
  ["bearer token-1", true],
  ["Bearer token-2", false],
  ["Bearer token-11", false],
  ["Bearer token-1 x", false],
  ["Bearer  token-1", false],
  ["XBearer token-1", false],
  ["token-1", false],
  ["Bearer", false],
])("the header authorization: %s is accepted: %s", async (authorization, isAccepted) => {
  const { handler } = reached();
  const gate = withToken(handler, { token: "token-1", isPublic: true });
  const request = new Request(`${HERE}/sandbox/settings`, { headers: { authorization } });
  expect(await isReached(gate, request)).toBe(isAccepted);
});

test("a request without the token is told what to send", async () => {
  const { requests, handler } = reached();
  const gate = withToken(handler, { token: "token-1", isPublic: true });
  const response = await gate(new Request(`${HERE}/sandbox`), connection);
  expect([
    response.status,
    response.headers.get("www-authenticate"),
    await response.text(),
  ]).toEqual([
    401,
    "Bearer",
    "This needs the token of the sandbox: send authorization: Bearer <token>, from the address that the sandbox printed.",
  ]);
  expect(requests).toEqual([]);
});

const MOST = 4_194_304;

test.each([
  ["a length", (size: number) => "a".repeat(size), true],
  ["chunks", (size: number) => new Blob(["a".repeat(size)]).stream(), false],
])("a body with %s may have 4 MiB, and not a byte more", async (_, bodyOf, hasLength) => {
  const { requests, handler } = reached();
  const send = (size: number, path = "/console/api/v1/labels") =>
    limitBody(handler)(
      new Request(HERE + path, {
        method: "PUT",
        headers: { key: "k", ...(hasLength && { "content-length": String(size) }) },
        body: bodyOf(size),
        duplex: "half",
      } as RequestInit),
      connection,
    );
  expect(await (await send(MOST)).text()).toBe("reached");
  expect(requests[0]?.method).toBe("PUT");
  expect(requests[0]?.headers.get("key")).toBe("k");
  expect(await requests[0]?.text()).toBe("a".repeat(MOST));
  const response = await send(MOST + 1);
  expect([response.status, await response.text()]).toEqual([
    413,
    "The sandbox accepts bodies of at most 4194304 bytes",
  ]);
  expect(requests).toHaveLength(1);
  for (const path of [
    "/sandbox/restore",
    "/forks/1/sandbox/restore",
    "/forks/1/forks/2/sandbox/restore",
  ])
    expect((await send(MOST + 1, path)).status).toBe(200);
  for (const path of [
    "/sandbox/restore/x",
    "/sandbox/restore/",
    "/console/sandbox/restore",
    "/console/api/v1/sandbox/restore",
    "/forks/sandbox/restore",
    "/x/sandbox/restore",
    "/webhooks/sandbox/restore",
  ])
    expect([path, (await send(MOST + 1, path)).status]).toEqual([path, 413]);
});

test.each([
  ["a length", true],
  ["chunks", false],
])("a snapshot with %s may have 256 MiB, and not a byte more", async (_, hasLength) => {
  const { requests, handler } = reached();
  const chunk = new Uint8Array(2 ** 20);
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => (sent++ < 257 ? controller.enqueue(chunk) : controller.close()),
  });
  const headers = hasLength ? { "content-length": String(257 * 2 ** 20) } : {};
  const request = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const response = await limitBody(handler)(
    new Request(`${HERE}/sandbox/restore`, request),
    connection,
  );
  expect([response.status, await response.text()]).toEqual([
    413,
    "The sandbox accepts snapshots of at most 268435456 bytes",
  ]);
  expect(requests).toEqual([]);
});

const NAMES = ["127.0.0.1", "localhost", "box.local"];

test.each([
  [undefined, true],
  [HERE, true],
  ["http://box.local:4010", true],
  ["http://localhost:5173", true],
  ["https://[::1]", true],
  ["http://127.0.0.1:4011", true],
  ["http://box.local:4011", false],
  ["https://example.com", false],
  ["null", false],
  ["", false],
])("a page of the origin %s is accepted: %s", async (origin, isAccepted) => {
  const { requests, handler } = reached();
  const gate = onlyOwn(handler, { names: NAMES, isPublic: false });
  const headers = origin === undefined ? {} : { origin };
  const response = await gate(new Request("http://box.local:4010/", { headers }), connection);
  expect([response.status, await response.text()]).toEqual(
    isAccepted
      ? [200, "reached"]
      : [403, "The sandbox accepts no request from a web page of another machine"],
  );
  expect(requests).toHaveLength(isAccepted ? 1 : 0);
});

test.each([
  ["cross-site", "no-cors", false],
  ["cross-site", "navigate", false],
  ["cross-site", "websocket", false],
  ["cross-site", undefined, false],
  // Its origin decides, which a browser sends.
  ["cross-site", "cors", true],
  ["same-site", "no-cors", true],
  ["same-site", "navigate", true],
  ["same-origin", "navigate", true],
  ["same-origin", "no-cors", true],
  ["none", "navigate", true],
  [undefined, "cors", true],
  [undefined, undefined, true],
])("a request that a browser calls %s, in the mode %s, is accepted: %s", async (site, mode, ok) => {
  const { requests, handler } = reached();
  const gate = onlyOwn(handler, { names: NAMES, isPublic: false });
  const headers = {
    ...(site !== undefined && { "sec-fetch-site": site }),
    ...(mode !== undefined && { "sec-fetch-mode": mode }),
  };
  const response = await gate(new Request(`${HERE}/console/x`, { headers }), connection);
  expect([response.status, await response.text()]).toEqual(
    ok
      ? [200, "reached"]
      : [
          403,
          "A web page of another site has led here, which the sandbox does not accept. To open its page, paste the address into the address bar.",
        ],
  );
  expect(requests).toHaveLength(ok ? 1 : 0);
});
