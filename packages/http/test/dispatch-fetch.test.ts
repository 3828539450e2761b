import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import { MockAgent } from "undici";
import { afterEach, expect, test, vi } from "vitest";
import { type FetchFunction, withResponse } from "../src/internal.ts";
import { dispatchFetch } from "../src/wire/dispatch-fetch.ts";
import { type Received, sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { httpResponse, startScriptedTcp, type TcpStep } from "./scripted-tcp.ts";
import { createThings, errorOf, thing } from "./things.ts";

const LIST = JSON.stringify([thing]);
/** Parts that are smaller than the buffer of a stream, and larger in sum. */
const LONG = JSON.stringify(
  Array.from({ length: 5_000 }, (_, id) => ({ id, name: "n".repeat(50) })),
);

type Things = ReturnType<typeof createThings>;
const list = (things: Things) => withResponse(things.list({ maxResponseBytes: 1_000_000 }));
const create = (things: Things) => withResponse(things.create({ name: "Größe" }));
const CALLS = { list, create };
type Call = keyof typeof CALLS;
const everyCall = (names: object) =>
  Object.keys(names).flatMap((name) =>
    (["list", "create"] as const).map((call) => [call, name] as const),
  );

const coded = (coding: string, body: Buffer) => (_: Received, response: ServerResponse) =>
  void response.writeHead(200, { "content-encoding": coding }).end(body);

/** How a server responds with HTTP, and the calls that receive it. */
const RESPONSES: Readonly<Record<string, (request: Received, response: ServerResponse) => void>> = {
  "a body in one part": (_, response) => sendJson(response, [thing]),
  "a body in many parts": (_, response) => {
    for (let at = 0; at < LONG.length; at += 1_000) response.write(LONG.slice(at, at + 1_000));
    response.end();
  },
  "a body in gzip": coded("gzip", gzipSync(LONG)),
  "a body in deflate": coded("deflate", deflateSync(LIST)),
  "a body in brotli": coded("BR", brotliCompressSync(LONG)),
  "a body in two codings": coded("gzip, br", brotliCompressSync(gzipSync(LIST))),
  "a body in an unknown coding": coded("compress", Buffer.from(LIST)),
  "a body in a coding with the name of a member": coded("gzip, constructor", Buffer.from(LIST)),
  "a body in gzip that lacks its end": coded("gzip", gzipSync(LONG).subarray(0, 200)),
  "a body that is not the gzip it says": coded("gzip", Buffer.from(LIST)),
  "a body that is too large": coded("gzip", gzipSync(Buffer.alloc(2_000_000, " "))),
  "no body": (_, response) => void response.writeHead(204).end(),
  "a redirect to another path": ({ url }, response) =>
    url.endsWith("moved")
      ? sendJson(response, [thing])
      : void response.writeHead(307, { location: "/v1/moved" }).end(),
  "a redirect to another origin": (_, response) =>
    void response.writeHead(302, { location: "http://elsewhere.test/" }).end(),
  "an error with a body": (_, response) => sendJson(response, { message: "busy" }, 503),
  "headers of one name, and one in Latin-1": (_, response) => {
    response.setHeader("x-team", ["water", "power"]).setHeader("x-city", "M\u00fcnchen");
    sendJson(response, [thing]);
  },
  "two informational responses before": (_, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    sendJson(response, [thing]);
  },
};

/** What a server does below HTTP. Only those that never end meet the timeout. */
const STEPS: Readonly<Record<string, TcpStep>> = {
  "a reset": { kind: "reset" },
  "no response": { kind: "hang" },
  "no HTTP": { kind: "garbage" },
  "a head that breaks off": { kind: "cut", after: "HTTP/1.1 200 OK\r\ncontent-le" },
  "a body that breaks off": { kind: "cut", after: httpResponse(LONG).slice(0, 5_000) },
  "a chunk that breaks off": {
    kind: "cut",
    after: `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n[{"id`,
  },
  "a body that comes too slowly": { kind: "drip", text: httpResponse(LIST), everyMs: 10 },
};

const FETCHES: readonly FetchFunction[] = [(url, init) => fetch(url, init), dispatchFetch()];

/** Describes how a call ends: its output, status and headers, or the facts of its error. */
async function endOf(call: Call, baseUrl: string, fetch: FetchFunction, timeout = 10_000) {
  const things = createThings({ baseUrl, fetch, timeout, retry: { attempts: 2, baseDelay: 1 } });
  return await CALLS[call](things).then(
    ({ output, status, headers }) => {
      headers.delete("date");
      return { output, status, headers: [...headers] };
    },
    ({ name, code, status, outcome, attempts }) => ({
      name,
      code,
      status,
      outcome,
      attempts: attempts.map(({ number, failure }: { number: number; failure: unknown }) => [
        number,
        failure,
      ]),
    }),
  );
}

/** What differs: the port, and what fetch adds for a page. */
const OTHERS = new Set(["host", "accept-encoding", "accept-language", "sec-fetch-mode"]);

function withoutOthers({ headers, ...request }: Received) {
  const own = Object.entries(headers).filter(([name]) => !OTHERS.has(name));
  return { ...request, headers: Object.fromEntries(own) };
}

test.each(everyCall(RESPONSES))(
  "%s ends like with the fetch of Node after %s",
  async (call, name) => {
    const ends = [];
    for (const fetch of FETCHES) {
      await using server = await startHttp(RESPONSES[name]!);
      const end = await endOf(call, server.baseUrl, fetch);
      ends.push({ end, requests: server.received.map(withoutOthers) });
    }
    expect(ends[1]).toEqual(ends[0]);
  },
);

test.each(everyCall(STEPS))("%s ends like with the fetch of Node after %s", async (call, name) => {
  const ends = [];
  for (const fetch of FETCHES) {
    await using server = await startScriptedTcp(STEPS[name]!);
    const { kind } = STEPS[name]!;
    const timeout = kind === "hang" || kind === "drip" ? 300 : undefined;
    const end = await endOf(call, server.baseUrl, fetch, timeout);
    ends.push({ end, requests: server.received.length });
    // After an abort, undici may keep an idle connection for some seconds.
    await vi.waitFor(() => expect(server.connections()).toBe(0), { timeout: 15_000 });
  }
  expect(ends[1]).toEqual(ends[0]);
});

test("a body in more codings than five is not decoded", async () => {
  const codings = Array.from({ length: 6 }, () => "gzip").join(", ");
  await using server = await startHttp(coded(codings, Buffer.from(LIST)));
  const things = createThings({ baseUrl: server.baseUrl, fetch: dispatchFetch() });
  expect(await things.list()).toEqual([thing]);
});

test("a closed port ends a call as with the fetch of Node", async () => {
  const server = await startHttp(() => undefined);
  await server[Symbol.asyncDispose]();
  const [end, ours] = await Promise.all(
    FETCHES.map((fetch) => endOf("create", server.baseUrl, fetch)),
  );
  expect(end).toMatchObject({ code: "ECONNREFUSED", outcome: "not_sent" });
  expect(ours).toEqual(end);
});

test("a signal ends a call before the response, and within its body", async () => {
  for (const first of ["", '[{"id":']) {
    const controller = new AbortController();
    let isClosed = false;
    await using server = await startHttp((_, response) => {
      response.on("close", () => (isClosed = true));
      if (first !== "") response.write(first);
      setTimeout(() => controller.abort(), 30);
    });
    const things = createThings({ baseUrl: server.baseUrl, fetch: dispatchFetch() });
    const { signal } = controller;
    expect(await errorOf(things.list({ signal }))).toMatchObject({ name: "AbortError" });
    await vi.waitFor(() => expect(isClosed).toBe(true));
    expect(server.received).toHaveLength(1);
  }
});

test("a dispatcher of the caller receives the requests", async () => {
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  dispatcher.get("https://things.test").intercept({ path: "/v1/things" }).reply(200, [thing]);
  const things = createThings({ fetch: dispatchFetch({ dispatcher }) });
  expect(await things.list()).toEqual([thing]);
});

test("a wrong option is a TypeError that says what to pass", () => {
  expect(() => dispatchFetch({ dispatcher: {} as never })).toThrow(
    "dispatcher must be an agent of undici, such as new Agent(); it is an object.",
  );
  expect(() => dispatchFetch({ agent: {} } as never)).toThrow('no option "agent"');
});

afterEach(() => vi.doUnmock("undici"));

test("without undici, the first call says to install it", async () => {
  vi.resetModules();
  vi.doMock("undici", () => {
    throw new Error("Cannot find package 'undici'");
  });
  const fresh = await import("../src/wire/dispatch-fetch.ts");
  const error = await errorOf(createThings({ fetch: fresh.dispatchFetch() }).list());
  expect(error.name).toBe("FetchFunctionError");
  expect(error.cause).toMatchObject({ message: expect.stringContaining("npm install undici") });
});
