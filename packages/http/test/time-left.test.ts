import { expect, test } from "vitest";
import type { CallError, FailureEvent, FetchFunction } from "../src/internal.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { startScriptedTcp } from "./scripted-tcp.ts";
import { abortAfterResponse, createThings, errorOf } from "./things.ts";

test("a request during which totalTimeout runs out has the outcome unknown and is in attempts", async () => {
  await using server = await startScriptedTcp({ kind: "hang" });
  const failed: FailureEvent[] = [];
  const things = createThings({
    baseUrl: server.baseUrl,
    // The limit is long enough for a busy machine to send the request.
    totalTimeout: 1_000,
    hooks: { onFailure: (event) => failed.push(event) },
  });
  const error = await errorOf<CallError>(things.create({ name: "one" }));
  expect(error).toMatchObject({ name: "TimeoutError", limit: "totalTimeout", outcome: "unknown" });
  expect(error.message).toContain("1000 ms");
  expect(error.message).toContain("check the result before you send it again");
  expect(error.attempts).toMatchObject([
    { number: 1, status: undefined, failure: "timeout", wait: undefined },
  ]);
  expect(failed).toMatchObject([{ attempt: 1, failure: "timeout" }]);
  expect(server.received).toHaveLength(1);
});

test("attempts contains both attempts if totalTimeout ends the second one", async () => {
  await using server = await startScriptedTcp({ kind: "reset" }, { kind: "hang" });
  const things = createThings({ baseUrl: server.baseUrl, totalTimeout: 1_000 });
  const error = await errorOf<CallError>(things.update({ name: "one", size: 1 }));
  expect(error).toMatchObject({ limit: "totalTimeout", outcome: "unknown" });
  expect(error.attempts.map(({ number, wait }) => [number, typeof wait])).toEqual([
    [1, "number"],
    [2, "undefined"],
  ]);
});

test("a TimeoutError names the limit that ran out", async () => {
  const never: FetchFunction = () => new Promise(() => undefined);
  const limitOf = async (timeout: number, totalTimeout: number): Promise<unknown> =>
    (
      await errorOf<CallError & { limit: string }>(
        createThings({ fetch: never, retry: false, timeout, totalTimeout }).list(),
      )
    ).limit;
  expect(await limitOf(20, 5_000)).toBe("timeout");
  expect(await limitOf(5_000, 20)).toBe("totalTimeout");
});

test("an abort during a wait replaces the wait and the reason of the last attempt", async () => {
  await using server = await startHttp((_, response) =>
    response.writeHead(503, { "retry-after": "5" }).end(),
  );
  const { signal, hooks } = abortAfterResponse();
  const error = await errorOf<CallError>(
    createThings({ baseUrl: server.baseUrl, hooks }).list({ signal }),
  );
  expect(error.name).toBe("AbortError");
  expect(error.attempts).toMatchObject([
    { number: 1, status: 503, wait: undefined, reason: "the signal was aborted" },
  ]);
});

test("an abort directly after the call sends nothing and adds no attempt", async () => {
  await using server = await startHttp((_, response) => sendJson(response, {}));
  const controller = new AbortController();
  const call = createThings({ baseUrl: server.baseUrl }).create(
    { name: "one" },
    { signal: controller.signal },
  );
  controller.abort();
  const error = await errorOf<CallError>(call);
  expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent", attempts: [] });
  expect(error.message).toContain("Nothing was sent");
  expect(server.received).toEqual([]);
});
