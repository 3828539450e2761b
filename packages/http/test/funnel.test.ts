import { createGzip } from "node:zlib";
import { expect, test, describe } from "vitest";
import { once as nextEvent } from "node:events";
import type { ServerResponse } from "node:http";
import { canaries } from "../../../tools/canaries/canaries.ts";
import {
  isApiError,
  ResponseValidationError,
  type CallError,
  withResponse,
  type ApiError,
  type CallOptions,
  type FetchFunction,
} from "../src/internal.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { createThings, errorOf, thing, API_KEY } from "./things.ts";

const once = { retry: false } as const;

test("a redirect to another origin is rejected, and the key is not sent there", async () => {
  await using other = await startHttp((_, response) => sendJson(response, [thing]));
  await using server = await startHttp((_, response) =>
    response.writeHead(307, { location: `${other.baseUrl}/v1/things` }).end(),
  );
  const error = await errorOf<CallError>(createThings({ ...once, baseUrl: server.baseUrl }).list());
  expect(isApiError(error, 307)).toBe(true);
  expect(error.outcome).toBe("rejected");
  expect(error.message).toContain("set baseUrl to the address that serves the API");
  expect(other.received).toEqual([]);
});

test("a GET that is redirected within origin and base path is followed, with the key", async () => {
  await using server = await startHttp(({ url }, response) => {
    if (url === "/api/v1/things")
      response.writeHead(301, { location: "/api/v2/things" }).end("moved");
    else sendJson(response, [thing]);
  });
  const list = await createThings({ baseUrl: `${server.baseUrl}/api` }).list();
  expect(list).toEqual([thing]);
  expect(server.received.map(({ url, headers }) => [url, headers["key"]])).toEqual([
    ["/api/v1/things", canaries.apiKey],
    ["/api/v2/things", canaries.apiKey],
  ]);
});

test("three redirects are followed, a fourth is not", async () => {
  await using server = await startHttp(({ url }, response) => {
    const step = Number(new URL(url, "http://x").searchParams.get("step") ?? 0);
    response.writeHead(302, { location: `/v1/things?step=${step + 1}` }).end();
  });
  await errorOf(createThings({ ...once, baseUrl: server.baseUrl }).list());
  expect(server.received).toHaveLength(4);
});

test.for(["create", "update", "delete"] as const)(
  "a redirect of %s is never followed",
  async (method) => {
    await using server = await startHttp((_, response) =>
      response.writeHead(307, { location: "/v1/other" }).end(),
    );
    const things = createThings({ ...once, baseUrl: server.baseUrl });
    const calls = {
      create: () => things.create({ name: "one" }),
      update: () => things.update({ name: "one", size: 1 }),
      delete: () => things.delete({ name: "one" }),
    };
    expect(isApiError(await errorOf(calls[method]()), 307)).toBe(true);
    expect(server.received).toHaveLength(1);
  },
);

test("a gzip bomb is stopped at the limit, which counts decompressed bytes, and uses little memory", async () => {
  const GIGABYTE = 1024 ** 3;
  await using server = await startHttp((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    const gzip = createGzip();
    gzip.pipe(response);
    const zeros = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const more = (): void => {
      while (sent < GIGABYTE && !response.destroyed) {
        sent += zeros.length;
        if (!gzip.write(zeros)) return void gzip.once("drain", more);
      }
      gzip.end();
    };
    more();
  });
  const before = process.memoryUsage().rss;
  const limit = 2 * 1024 * 1024;
  const error = await errorOf<CallError>(
    createThings({ ...once, baseUrl: server.baseUrl }).list({ maxResponseBytes: limit }),
  );
  expect(error).toBeInstanceOf(ResponseValidationError);
  expect(error.outcome).toBe("applied");
  expect(error.message).toContain(`larger than maxResponseBytes (${limit})`);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test("connections are reused, also after errors, redirects and rejected bodies", async () => {
  await using server = await startHttp(({ url }, response) => {
    if (url === "/v1/things/missing") sendJson(response, { any: "x".repeat(10_000) }, 404);
    else if (url === "/v1/things/moved")
      response.writeHead(302, { location: "/v1/things/one" }).end("moved");
    else if (url === "/v1/things/odd") response.end("<html>");
    else sendJson(response, { data: thing });
  });
  const things = createThings({ ...once, baseUrl: server.baseUrl });
  for (let round = 0; round < 10; round++) {
    for (const name of ["one", "missing", "moved", "odd"])
      await things.get({ name }).catch(() => undefined);
  }
  expect(server.received).toHaveLength(50);
  // undici opens a second connection if a call follows before it notices that the first one is free.
  expect(server.opened()).toBeLessThanOrEqual(2);
});

test("the query is encoded, with a space as %20, and omitted values are not sent", async () => {
  await using server = await startHttp((_, response) => sendJson(response, []));
  await createThings({ baseUrl: server.baseUrl }).find({ name: "a b&c=d+e/ü", limit: undefined });
  expect(server.received[0]?.url).toBe("/v1/things/search?name=a%20b%26c%3Dd%2Be%2F%C3%BC");
});

test("a User-Agent and an Accept are always sent, a content-type only with a body", async () => {
  await using server = await startHttp((_, response) => sendJson(response, []));
  const things = createThings({ baseUrl: server.baseUrl, headers: { "x-team": "a" } });
  await things.list({ headers: { "x-team": "b" } });
  expect(server.received[0]?.headers).toMatchObject({
    "user-agent": "things-test/1.0",
    accept: expect.stringContaining("application/json"),
    "x-team": "b",
  });
  expect(server.received[0]?.headers).not.toHaveProperty("content-type");
  await things.create({ name: "one" });
  expect(server.received[1]?.headers).toMatchObject({ "content-type": "application/json" });
});

test("the client cancels a body beyond the limit and closes its connection", async () => {
  let inProgress: ServerResponse | undefined;
  await using server = await startHttp((_, response) => {
    inProgress = response.writeHead(200);
    response.write("[".repeat(100_000));
  });
  const things = createThings({ baseUrl: server.baseUrl, retry: false });
  const closed = errorOf(things.list({ maxResponseBytes: 1_000 })).then(() =>
    nextEvent(inProgress!, "close"),
  );
  await expect(closed).resolves.toBeDefined();
});

describe("the id of a request", () => {
  const idOf = async (headers: Record<string, string>) => {
    const things = createThings({ fetch: async () => Response.json([thing], { headers }) });
    return (await withResponse(things.list())).requestId;
  };

  test.each<[string, string | undefined]>([
    ["!", "!"],
    ["x".repeat(201), undefined],
    ["two words", undefined],
    ["y \u00e9", undefined],
    [`id-${API_KEY}`, undefined],
  ])("%j is read as %j from each header", async (id, read) => {
    expect(await idOf({ "x-request-id": id })).toBe(read);
    expect(await idOf({ "request-id": id })).toBe(read);
  });

  test("is that of x-request-id if both headers are sent, and undefined without them", async () => {
    expect(await idOf({ "x-request-id": "one", "request-id": "two" })).toBe("one");
    expect(await idOf({})).toBeUndefined();
  });
});

describe("a redirect of a read", () => {
  async function followed(
    location: string | undefined,
    { status = 302, baseUrl = "https://things.test/api" } = {},
  ): Promise<string | undefined> {
    const sent: string[] = [];
    const headers: Record<string, string> = location === undefined ? {} : { location };
    const fetch: FetchFunction = async (url) => {
      sent.push(url);
      return sent.length === 1 ? new Response(null, { status, headers }) : Response.json([thing]);
    };
    await createThings({ baseUrl, fetch, retry: false })
      .list()
      .catch((error: unknown) => expect(isApiError(error, status)).toBe(true));
    return sent[1];
  }

  test.each([
    [300, false],
    [301, true],
    [302, true],
    [303, true],
    [304, false],
    [305, false],
    [307, true],
    [308, true],
  ])("with the status %i is followed: %s", async (status, isFollowed) => {
    expect((await followed("/api/b", { status })) === "https://things.test/api/b").toBe(isFollowed);
  });

  test.each<[string | undefined, boolean]>([
    ["/api/", true],
    ["b?c=d#e", true],
    ["https://things.test:443/api/b", true],
    ["/api", false],
    ["/apis/b", false],
    ["http://things.test/api/b", false],
    ["https://user@things.test/api/b", false],
    [undefined, false],
  ])("to %s is followed only if it stays below the base URL: %s", async (location, isFollowed) => {
    for (const baseUrl of ["https://things.test/api", "https://things.test/api/"])
      expect((await followed(location, { baseUrl })) !== undefined).toBe(isFollowed);
  });
});

describe("the client reads", () => {
  const KIB = 1_024;

  test("at most 256 KiB of the body of an error", async () => {
    const seen: number[] = [];
    const errorBody = async (size: number, options: CallOptions = {}) => {
      const fetch: FetchFunction = async () => new Response("x".repeat(size), { status: 404 });
      const hooks = { onResponse: ({ bytes }: { bytes: number }) => seen.push(bytes) };
      const error = await errorOf<ApiError>(createThings({ fetch, hooks }).list(options));
      return error.body.reveal().length;
    };
    expect(await errorBody(256 * KIB)).toBe(256 * KIB);
    expect(await errorBody(256 * KIB + 1)).toBe(0);
    expect(await errorBody(11, { maxResponseBytes: 10 })).toBe(11);
    expect(seen).toEqual([256 * KIB, 256 * KIB, 11]);
  });

  test("at most maxResponseBytes of the body of a success", async () => {
    const body = JSON.stringify([thing]);
    const list = (maxResponseBytes: number) =>
      createThings({ fetch: async () => new Response(body) }).list({ maxResponseBytes });
    expect(await list(body.length)).toEqual([thing]);
    const error = await errorOf<ResponseValidationError>(list(body.length - 1));
    expect(error).toMatchObject({ status: 200, outcome: "applied", call: "things.list" });
    expect(error.problems).toEqual([
      { path: "", message: `is larger than maxResponseBytes (${body.length - 1})` },
    ]);
    expect(error.message).toContain(
      "If you expect a response of that size, raise maxResponseBytes",
    );
    expect(error.body.reveal()).toBe("");
  });
});
