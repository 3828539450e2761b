import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import {
  type ApiError,
  ConnectionError,
  isApiError,
  TimeoutError,
  ResponseValidationError,
  type CallError,
} from "../src/index.ts";
import { everythingPrinted } from "../../../tools/testing/canary.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { httpResponse, startScriptedTcp } from "./scripted-tcp.ts";
import { API_KEY, createThings, errorOf } from "./things.ts";

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

test.for([103, 99])(
  "a write with the response %i, which some runtimes return, has the outcome unknown",
  async (status) => {
    const response = { status, ok: false, headers: new Headers(), body: null } as Response;
    const things = createThings({ ...once, fetch: async () => response });
    expect(await errorOf(things.create(NEW))).toMatchObject({ status, outcome: "unknown" });
  },
);

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

test("only the error of a DELETE that may have been carried out mentions an earlier attempt", async () => {
  const notFound = { kind: "respond", text: httpResponse("", { status: "404 No" }) } as const;
  const busy = { kind: "respond", text: httpResponse("", { status: "429 Busy" }) } as const;
  await using reset = await startScriptedTcp({ kind: "reset" }, notFound);
  const put = await errorOf(
    createThings({ baseUrl: reset.baseUrl }).update({ name: "one", size: 1 }),
  );
  expect(put.message).not.toContain("deleted");
  await using limited = await startScriptedTcp(busy, notFound);
  const removed = await errorOf<CallError>(
    createThings({ baseUrl: limited.baseUrl }).delete({ name: "one" }),
  );
  expect(removed.message).not.toContain("deleted");
  expect(removed.outcome).toBe("rejected");
});

test("only the error of a repeatable call names the wait that the server asks for", async () => {
  const fetch = async () => new Response("", { status: 503, headers: { "retry-after": "60" } });
  const things = createThings({ fetch, ...once });
  const repeatable = await errorOf<ApiError>(things.delete({ name: "one" }));
  expect(repeatable.message).toContain("The server asks to wait: call again after ");
  const other = await errorOf<ApiError>(things.create({ name: "one" } as never));
  expect(other.message).toContain("It may have been carried out: check that before you send it");
});

test("an error about an input that is not an object shows an example if the call has path or query fields", async () => {
  const things = createThings({ fetch: async () => new Response("") });
  const withFields = await errorOf(things.get("one" as never));
  expect(withFields.message).toContain("the input must be an object such as { name }; it is");
  const withBody = await errorOf(things.create("one" as never));
  expect(withBody.message).toContain("the input must be an object; it is");
});
