import { getEventListeners } from "node:events";
import { expect, test, vi } from "vitest";
import type { AbortError, CallError, FetchFunction } from "../src/internal.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { httpResponse, startScriptedTcp } from "./scripted-tcp.ts";
import { abortAfterResponse, createThings, errorOf, thing } from "./things.ts";

const reason = new Error("the user left");
const WAIT = { timeout: 10_000, interval: 5 };

test("a call with an aborted signal sends nothing", async () => {
  await using server = await startHttp((_, response) => sendJson(response, []));
  const error = await errorOf<AbortError>(
    createThings({ baseUrl: server.baseUrl }).create(
      { name: "one" },
      { signal: AbortSignal.abort(reason) },
    ),
  );
  expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent", attempts: [] });
  expect(error.cause).toBe(reason);
  expect(server.received).toEqual([]);
});

test("an abort during the request leaves the outcome unknown", async () => {
  await using server = await startScriptedTcp({ kind: "hang" });
  const controller = new AbortController();
  const call = createThings({ baseUrl: server.baseUrl }).create(
    { name: "one" },
    { signal: controller.signal },
  );
  const ended = errorOf<AbortError>(call);
  await vi.waitFor(() => expect(server.received).toHaveLength(1), WAIT);
  controller.abort(reason);
  const error = await ended;
  expect(error).toMatchObject({ name: "AbortError", outcome: "unknown" });
  expect(error.attempts).toEqual([
    {
      number: 1,
      status: undefined,
      failure: "aborted",
      duration: expect.any(Number),
      wait: undefined,
      reason: "the signal was aborted",
    },
  ]);
});

test("an abort ends a call while its response body arrives", async () => {
  await using server = await startScriptedTcp({
    kind: "drip",
    text: httpResponse(JSON.stringify([thing]) + " ".repeat(500)),
    everyMs: 5,
  });
  const controller = new AbortController();
  let body: ReadableStream | null = null;
  const fetch: FetchFunction = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    body = response.body;
    return response;
  };
  const ended = errorOf<AbortError>(
    createThings({ baseUrl: server.baseUrl, fetch }).list({ signal: controller.signal }),
  );
  // The body has begun to arrive, and takes at least 2.5 seconds.
  await vi.waitFor(() => expect(body).not.toBeNull(), WAIT);
  controller.abort(reason);
  const before = performance.now();
  expect((await ended).name).toBe("AbortError");
  expect(performance.now() - before).toBeLessThan(2_000);
});

test("an abort during the wait for a retry sends nothing more", async () => {
  await using server = await startHttp((_, response) =>
    response.writeHead(429, { "retry-after": "30" }).end(),
  );
  const { signal, hooks } = abortAfterResponse("no error at all");
  const error = await errorOf<AbortError>(
    createThings({ baseUrl: server.baseUrl, hooks }).create({ name: "one" }, { signal }),
  );
  expect(error).toMatchObject({
    name: "AbortError",
    outcome: "rejected",
    cause: "no error at all",
  });
  expect(server.received).toHaveLength(1);
});

test("a call accepts AbortSignal.timeout as its signal", async () => {
  await using server = await startScriptedTcp({ kind: "hang" });
  const error = await errorOf<AbortError>(
    createThings({ baseUrl: server.baseUrl }).list({ signal: AbortSignal.timeout(50) }),
  );
  expect(error.name).toBe("AbortError");
  expect((error.cause as Error).name).toBe("TimeoutError");
});

test("a long-lived signal accumulates no listeners", async () => {
  await using server = await startHttp((_, response) => sendJson(response, [thing]));
  const { signal } = new AbortController();
  const things = createThings({ baseUrl: server.baseUrl });
  for (let i = 0; i < 20; i++) await things.list({ signal });
  expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
});

test("the reason of the signal is not printed with the error", async () => {
  const error = await errorOf<CallError>(
    createThings().list({ signal: AbortSignal.abort("canary-reason") }),
  );
  expect(JSON.stringify(error) + error.message + error.stack).not.toContain("canary");
});

test("timeout ends an attempt although fetch ignores the signal", async () => {
  const never: FetchFunction = () => new Promise(() => undefined);
  const error = await errorOf<CallError>(
    createThings({ fetch: never, timeout: 40, retry: false }).list(),
  );
  expect(error.name).toBe("TimeoutError");
});

test.for(["GET", "POST"])(
  "a %s whose signal is aborted in onRequest is not sent, and its outcome is not_sent",
  async (method) => {
    const controller = new AbortController();
    let sent = 0;
    const things = createThings({
      fetch: async () => {
        sent++;
        return Response.json([thing]);
      },
      hooks: { onRequest: () => controller.abort("the user left") },
    });
    const { signal } = controller;
    const call =
      method === "GET" ? things.list({ signal }) : things.create({ name: "one" }, { signal });
    const error = await errorOf<CallError>(call);
    expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent" });
    expect(sent).toBe(0);
  },
);
