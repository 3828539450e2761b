import { inspect } from "node:util";
import { createSandbox } from "../engine/index.ts";
import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
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

test("a body that is too large is rejected, except that of a snapshot", async () => {
  await using sandbox = await startSandbox();
  const post = async (path: string) => {
    const response = await fetch(sandbox.origin + path, {
      method: "POST",
      headers: { ...JSON_TYPE, authorization: `Bearer ${tokenOf(sandbox)}` },
      body: JSON.stringify({ name: "a".repeat(5_000_000) }),
    });
    return { status: response.status, text: await response.text() };
  };
  expect(await post("/console/api/v1/labels")).toMatchObject({
    status: 413,
    text: expect.stringContaining("at most 4194304 bytes"),
  });
  // A stream has no length: it is sent in chunks.
  const stream = (size: number) =>
    fetch(`${sandbox.origin}/console/api/v1/labels`, {
      method: "POST",
      headers: { ...JSON_TYPE, key: sandbox.apiKey },
      body: new Blob([JSON.stringify({ name: "a".repeat(size) })]).stream(),
      duplex: "half",
    } as RequestInit);
  expect((await stream(5_000_000)).status).toBe(413);
  expect(sandbox.log.count).toBe(0);
  expect((await stream(10)).status).toBe(201);
  // The body is read, and rejected because it is not a snapshot.
  expect((await post("/sandbox/restore")).status).toBe(400);
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
