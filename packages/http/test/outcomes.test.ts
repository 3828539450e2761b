import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import {
  type ApiError,
  ConnectionError,
  isApiError,
  TimeoutError,
  ResponseValidationError,
  type CallError,
  type FetchFunction,
} from "../src/internal.ts";
import { everythingPrinted } from "../../../tools/canaries/canaries.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { httpResponse, startScriptedTcp } from "./scripted-tcp.ts";
import { API_KEY, createThings, errorOf, eachThing } from "./things.ts";

const once = { retry: false } as const;

test.each<[string, number[], string]>([
  ["that is reported until no attempt is left leaves the outcome unknown", [409], "unknown"],
  ["that is followed by a rejection has the outcome of the rejection", [409, 409, 422], "rejected"],
  ["after a lost response leaves the outcome unknown", [503, 409, 422], "unknown"],
])("an idempotent request in progress %s", async (_what, statuses, outcome) => {
  let count = 0;
  const fetch = async () =>
    new Response("", { status: statuses[Math.min(count++, statuses.length - 1)]! });
  const error = await errorOf<CallError>(
    createThings({ fetch, trustIdempotencyKeys: true }).createOnce({ name: "one" }),
  );
  expect([error.outcome, error.attempts.length]).toEqual([outcome, 3]);
});

test.for([302, 303])(
  "a write with the response %i is not retried, and the error asks to check it",
  async (status) => {
    let requests = 0;
    const fetch = async () => {
      requests++;
      return new Response("", { status, headers: { location: "/v1/things/1" } });
    };
    const error = await errorOf<CallError>(createThings({ fetch }).create({ name: "one" }));
    expect([error.outcome, requests]).toEqual(["unknown", 1]);
    expect(error.message).toContain("before you send it again");
  },
);
const NEW = { name: "one", key: "canary-body-key" };

test("a call to an unknown host has the outcome not_sent", async () => {
  const error = await errorOf<ConnectionError>(
    createThings({ ...once, baseUrl: "https://nobody.invalid" }).create(NEW),
  );
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({
    outcome: "not_sent",
    code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
  });
});

test("a call to a server with an untrusted certificate is not_sent and not retried", async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }]);
  let requests = 0;
  const server = createTlsServer({ key, cert }, () => requests++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const error = await errorOf<ConnectionError>(
    createThings({ baseUrl: `https://127.0.0.1:${port}` }).create(NEW),
  );
  server.close();
  expect(error).toMatchObject({ outcome: "not_sent", code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(error.attempts).toHaveLength(1);
  expect(error.message).toContain("certificate");
  expect(requests).toBe(0);
});

test.for([
  ["reset before a response", { kind: "reset" }],
  ["cut in the headers", { kind: "cut", after: "HTTP/1.1 201 Created\r\ncontent-le" }],
  [
    "cut in the body",
    { kind: "cut", after: 'HTTP/1.1 201 Created\r\ncontent-length: 90\r\n\r\n{"id":1,' },
  ],
  [
    "cut in a chunked body",
    {
      kind: "cut",
      after: 'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{"id":1,\r\n',
    },
  ],
  [
    "cut in JSON that has no length",
    { kind: "cut", after: 'HTTP/1.1 201 Created\r\nconnection: close\r\n\r\n{"id":1,"name":"o' },
  ],
  ["responded to with something other than HTTP", { kind: "garbage" }],
] as const)("a POST that was %s has the outcome unknown and is not retried", async ([, step]) => {
  await using server = await startScriptedTcp(step);
  const error = await errorOf<ConnectionError>(
    createThings({ baseUrl: server.baseUrl }).create(NEW),
  );
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.outcome).toBe("unknown");
  expect(error.message).toContain("before you send it again");
  expect(server.received).toHaveLength(1);
});

test("timeout covers the body, so that a call to a slow server ends", async () => {
  const slow = httpResponse(JSON.stringify({ id: 1, name: "x".repeat(500) }));
  await using server = await startScriptedTcp({ kind: "drip", text: slow, everyMs: 5 });
  const before = performance.now();
  const error = await errorOf<CallError>(
    createThings({ baseUrl: server.baseUrl, timeout: 150, ...once }).list(),
  );
  expect(error).toBeInstanceOf(TimeoutError);
  expect(performance.now() - before).toBeLessThan(1_000);
});

test.for([
  [301, "unknown"],
  [302, "unknown"],
  [303, "unknown"],
  [307, "rejected"],
  [308, "rejected"],
  [400, "rejected"],
  [404, "rejected"],
  [422, "rejected"],
  [429, "rejected"],
  [408, "unknown"],
  [500, "unknown"],
  [503, "unknown"],
  [504, "unknown"],
] as const)("a write with the response %i has the outcome %s", async ([status, outcome]) => {
  await using server = await startHttp((_, response) =>
    sendJson(response, { any: "canary-answer" }, status),
  );
  const error = await errorOf<ApiError>(
    createThings({ ...once, baseUrl: server.baseUrl }).create(NEW),
  );
  expect(isApiError(error, status)).toBe(true);
  expect(error.outcome).toBe(outcome);
  expect(error.body.reveal()).toContain("canary-answer");
  expect(everythingPrinted(error)).not.toMatch(/canary/);
});

test("a success with an invalid body has the outcome applied", async () => {
  await using server = await startHttp((_, response) =>
    sendJson(response, { id: "canary-wrong", name: 7 }, 201),
  );
  const error = await errorOf<ResponseValidationError>(
    createThings({ baseUrl: server.baseUrl }).createOnce(NEW),
  );
  expect(error).toBeInstanceOf(ResponseValidationError);
  expect(error).toMatchObject({ outcome: "applied", status: 201 });
  expect(error.problems).toEqual([
    { path: "id", message: "expected number, got string" },
    { path: "name", message: "expected string, got number" },
  ]);
  expect(error.body.reveal()).toContain("canary-wrong");
  expect(everythingPrinted(error)).not.toMatch(/canary/);
  expect(server.received).toHaveLength(1);
});

test("one attempt with an unknown outcome makes the outcome of the call unknown", async () => {
  await using server = await startScriptedTcp(
    { kind: "reset" },
    { kind: "respond", text: httpResponse("{}", { status: "422 No" }) },
  );
  const error = await errorOf<CallError>(
    createThings({ baseUrl: server.baseUrl }).update({ name: "one", size: 2 }),
  );
  expect(isApiError(error, 422)).toBe(true);
  expect(error.outcome).toBe("unknown");
});

test("the last attempt of a read decides its outcome", async () => {
  await using server = await startScriptedTcp(
    { kind: "reset" },
    { kind: "respond", text: httpResponse("{}", { status: "404 No" }) },
  );
  const error = await errorOf<CallError>(
    createThings({ baseUrl: server.baseUrl }).get({ name: "one" }),
  );
  expect(error.outcome).toBe("rejected");
});

test("attempts contain the status, wait and reason of each request", async () => {
  await using server = await startScriptedTcp(
    { kind: "reset" },
    { kind: "respond", text: httpResponse("", { status: "503 Busy" }) },
    { kind: "respond", text: httpResponse("", { status: "500 Oh" }) },
  );
  const { attempts } = await errorOf<CallError>(createThings({ baseUrl: server.baseUrl }).list());
  expect(attempts).toEqual([
    {
      number: 1,
      status: undefined,
      failure: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/),
      duration: expect.any(Number),
      wait: expect.any(Number),
      reason: "retried after a random wait",
    },
    {
      number: 2,
      status: 503,
      failure: undefined,
      duration: expect.any(Number),
      wait: expect.any(Number),
      reason: "retried after a random wait",
    },
    {
      number: 3,
      status: 500,
      failure: undefined,
      duration: expect.any(Number),
      wait: undefined,
      reason: "all 3 attempts are used",
    },
  ]);
});

test("a 404 for a DELETE after a lost response says that an earlier attempt may have deleted the record", async () => {
  await using server = await startScriptedTcp(
    { kind: "reset" },
    { kind: "respond", text: httpResponse("", { status: "404 No" }) },
  );
  const error = await errorOf<CallError>(
    createThings({ baseUrl: server.baseUrl }).delete({ name: "one" }),
  );
  expect(error.message).toContain("An earlier attempt of this call may have deleted it");
  expect(error.outcome).toBe("unknown");
});

test("an error message names the route, never the URL", async () => {
  await using server = await startHttp((_, response) => sendJson(response, {}, 404));
  const error = await errorOf(
    createThings({ ...once, baseUrl: server.baseUrl }).get({ name: "canary name" }),
  );
  expect(error.message).toBe(
    "things.get (GET /v1/things/:name) failed with 404: Thing not found. Not found for this client: check the id or name, and that baseUrl and the credential belong to its environment.",
  );
  expect(everythingPrinted(error)).not.toMatch(/canary|127\.0\.0\.1/);
});

test("the client never exposes an error of ky, not even as a cause", async () => {
  await using hanging = await startScriptedTcp({ kind: "hang" });
  await using resetting = await startScriptedTcp({ kind: "reset" });
  for (const { baseUrl } of [hanging, resetting]) {
    const error = await errorOf(createThings({ ...once, baseUrl, timeout: 50 }).list());
    expect(error.cause).toBeUndefined();
    expect(everythingPrinted(error)).not.toMatch(/ky\/|KyError/);
    expect(everythingPrinted(error)).not.toContain(API_KEY);
  }
});

test("a stack trace contains the method and the caller", async () => {
  await using server = await startHttp((_, response) => sendJson(response, {}, 500));
  const things = createThings({ ...once, baseUrl: server.baseUrl });
  async function callerOfThings(): Promise<unknown> {
    return await things.get({ name: "one" });
  }
  const { stack } = await errorOf(callerOfThings());
  expect(stack).toContain("things.get");
  expect(stack).toContain("callerOfThings");
});

test("only the error of a repeatable call names the wait that the server asks for", async () => {
  const fetch = async () => new Response("", { status: 503, headers: { "retry-after": "60" } });
  const things = createThings({ fetch, ...once });
  const repeatable = await errorOf<ApiError>(things.delete({ name: "one" }));
  expect(repeatable.message).toContain("The server asks to wait: call again after ");
  const other = await errorOf<ApiError>(things.create({ name: "one" } as never));
  expect(other.message).toContain("It may have been carried out: check that before you send it");
});

const REDIRECT =
  "Redirects outside baseUrl are not followed: set baseUrl to the address that serves the API.";
const CORRECT = "Correct the input: the same request would fail again.";
const TROUBLE = "The server failed. Call again later.";
const READ_BACK = "It may have been carried out: check that before you send it again.";

test.each<[number, string, string]>([
  [300, REDIRECT, READ_BACK],
  [307, REDIRECT, REDIRECT],
  [399, REDIRECT, REDIRECT],
  [400, CORRECT, CORRECT],
  [401, "Check the credential that the client was created with.", "Check the credential"],
  [402, CORRECT, CORRECT],
  [
    403,
    "The credential is not allowed to do this: use one that has the permission.",
    "The credential is not allowed to do this: use one that has the permission.",
  ],
  [404, "Check baseUrl: the path of the route is added to it.", "Check baseUrl: the path"],
  [408, TROUBLE, READ_BACK],
  [499, CORRECT, CORRECT],
  [500, TROUBLE, READ_BACK],
  [599, TROUBLE, READ_BACK],
])(
  "an error with the status %i gives advice for reads and for writes",
  async (status, toRead, toWrite) => {
    const fetch: FetchFunction = async () =>
      ({ status, ok: false, headers: new Headers(), body: null }) as Response;
    const things = createThings({ fetch, retry: false, service: { readError: () => ({}) } });
    const read = await errorOf<CallError>(things.list());
    expect(read.message).toBe(`things.list (GET /v1/things) failed with ${status}. ${toRead}`);
    const write = await errorOf<CallError>(things.create({ name: "one" }));
    expect(write.message).toContain(`failed with ${status}. ${toWrite}`);
  },
);

test.each([
  [1, "The option is in milliseconds: 1 seconds are 1000. Allow"],
  [300, "The option is in milliseconds: 300 seconds are 300000. Allow"],
  [301, "got no complete response within 301 ms (timeout). Allow"],
])("a short timeout is suspected to be in seconds, here %i", (milliseconds, words) => {
  const context = { call: "a", route: "GET /a", outcome: "unknown", attempts: [] } as const;
  expect(new TimeoutError(context, "timeout", milliseconds).message).toContain(words);
});

test("a call to a server without TLS sends nothing and is not retried", async () => {
  await using server = await startHttp((_, response) => response.end());
  const baseUrl = server.baseUrl.replace("http:", "https:");
  const error = await errorOf<ConnectionError>(createThings({ baseUrl }).create({ name: "one" }));
  expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
  expect(error.attempts).toHaveLength(1);
  expect(server.received).toEqual([]);
});

test("a POST is retried if the server hangs up during the handshake, because nothing was sent", async () => {
  let connections = 0;
  const hangUp = (socket: Socket): void => {
    connections++;
    socket.on("error", () => undefined);
    socket.once("data", () => socket.destroy());
  };
  const server = createServer(hangUp);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const error = await errorOf<ConnectionError>(
    createThings({ baseUrl: `https://127.0.0.1:${port}` }).create({ name: "one" }),
  );
  server.close();
  expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
  expect(connections).toBe(3);
});

test.for<[string, () => unknown]>([
  ["a revoked proxy", () => revoked()],
  [
    "an error whose message cannot be read",
    () =>
      Object.defineProperty(new TypeError("no"), "message", {
        get: () => {
          throw new Error("canary getter");
        },
      }),
  ],
])("a fetch that throws %s leaves the outcome unknown", async ([, makeError]) => {
  const fetch: FetchFunction = () => {
    throw makeError();
  };
  const error = await errorOf<CallError>(createThings({ fetch }).create({ name: "one" }));
  expect(error).toMatchObject({ name: "ConnectionError", outcome: "unknown" });
  expect(error.attempts).toHaveLength(1);
  expect(error.message + error.stack).not.toContain("canary");
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("a call to a port that fetch blocks is not retried", async () => {
  const error = await errorOf<ConnectionError>(
    createThings({ baseUrl: "http://127.0.0.1:1" }).create({ name: "one" }),
  );
  expect(error.outcome).toBe("not_sent");
  expect(error.attempts).toHaveLength(1);
});

// The status of an error settles what happened, whether or not its body can be read.

const BODIES = {
  "that is not the gzip it says": { headers: { "content-encoding": "gzip" }, end: "now" },
  "that breaks off": { headers: { "content-length": "900" }, end: "broken" },
  "that never ends": { headers: {}, end: "never" },
} as const;
type Kind = keyof typeof BODIES;
const KINDS = Object.keys(BODIES) as Kind[];

/** Responds with a status and such a body, and then with 200. */
const startBroken = (kind: Kind, status: number, times = Infinity) =>
  startHttp((_, response) => {
    if (times-- <= 0) return void response.end("[]");
    const { headers, end } = BODIES[kind];
    response.writeHead(status, { "content-type": "text/html", "retry-after": "0", ...headers });
    if (end === "now") return void response.end("<html>plain</html>");
    response.write("<html>");
    if (end === "broken") setTimeout(() => response.destroy(), 15);
  });

const QUICK = { timeout: 300, totalTimeout: 3_000 };
const CALLS = {
  list: (baseUrl: string) => createThings({ baseUrl, ...QUICK }).list(),
  create: (baseUrl: string) => createThings({ baseUrl, ...QUICK }).create({ name: "one" }),
  each: async (baseUrl: string) => {
    for await (const thing of eachThing({ baseUrl, ...QUICK })) void thing;
  },
};
/** The requests and the outcome of a call that always receives the status. */
const ENDS: readonly (readonly [status: number, call: keyof typeof CALLS, end: string])[] = [
  [302, "list", "rejected ×1"],
  [403, "create", "rejected ×1"],
  [422, "create", "rejected ×1"],
  [500, "create", "unknown ×1"],
  [503, "list", "unknown ×3"],
  [503, "each", "unknown ×3"],
];

test.each(ENDS.flatMap((row) => KINDS.map((kind) => [...row, kind] as const)))(
  "%i to %s ends as %s, with a body %s",
  async (status, call, end, kind) => {
    await using server = await startBroken(kind, status);
    const error = await errorOf<ApiError>(CALLS[call](server.baseUrl));
    expect(error.name).toBe("ApiError");
    expect([
      error.status,
      `${error.outcome} ×${server.received.length}`,
      error.body.reveal(),
    ]).toEqual([status, end, ""]);
    expect(error.message).toMatch(/its body could not be read/);
  },
);

test.each(KINDS)("a 429 with a body %s starts the pause, and is sent again", async (kind) => {
  await using server = await startBroken(kind, 429, 1);
  expect(await CALLS.list(server.baseUrl)).toEqual([]);
  expect(server.received).toHaveLength(2);
});

test("waits 2 s for the body of an error, and not until the time limit of the call", async () => {
  await using server = await startBroken("that never ends", 422);
  const began = performance.now();
  const things = createThings({ baseUrl: server.baseUrl, timeout: 30_000 });
  expect(await errorOf(things.list())).toMatchObject({ status: 422, outcome: "rejected" });
  expect(performance.now() - began).toBeLessThan(10_000);
});
