import { inspect } from "node:util";
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
  expect(inspect(one, { depth: 9 }) + JSON.stringify({ ...one, clock: undefined })).not.toContain(
    tokenOf(one),
  );
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
