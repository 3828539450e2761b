import { expect, test } from "vitest";
import type { AbortError, CallError } from "../src/internal.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { startScriptedTcp } from "./scripted-tcp.ts";
import { abortAfterResponse, createThings, errorOf, thing } from "./things.ts";

const reason = new Error("the user left");

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
