import { expect, test, vi } from "vitest";
import type { CallError, FetchFunction } from "../src/internal.ts";
import { sendJson, startHttp } from "../../../tools/testing/http-server.ts";
import { httpResponse, startScriptedTcp } from "./scripted-tcp.ts";
import { createThings, errorOf, thing, type Things } from "./things.ts";

/** Creates a fetch that responds with one of these statuses to each request, and repeats the last one. */
function respondWith(...responses: (number | Response)[]): {
  fetch: FetchFunction;
  count: () => number;
  keys: (string | null)[];
} {
  let count = 0;
  const keys: (string | null)[] = [];
  return {
    keys,
    count: () => count,
    fetch: async (_url, { headers }) => {
      keys.push(headers.get("idempotency-key"));
      const response = responses[Math.min(count++, responses.length - 1)] ?? 500;
      if (typeof response !== "number") return response.clone();
      return response === 200 ? Response.json([thing]) : new Response("", { status: response });
    },
  };
}

const calls: Record<string, (things: Things) => Promise<unknown>> = {
  GET: (things) => things.list(),
  PUT: (things) => things.update({ name: "one", size: 1 }),
  DELETE: (things) => things.delete({ name: "one" }),
  POST: (things) => things.create({ name: "one" }),
  "POST with a key": (things) => things.createOnce({ name: "one" }),
};

test.for([
  ["GET", 503, 3],
  ["PUT", 503, 3],
  ["DELETE", 503, 3],
  ["POST", 503, 1],
  ["POST with a key", 503, 1],
  ["POST with a key", 409, 3],
  ["GET", 501, 1],
  ["GET", 404, 1],
  ["POST", 409, 3],
] as const)("a %s with the response %i is sent %i times", async ([call, status, times]) => {
  const { fetch, count } = respondWith(status);
  await errorOf(calls[call]!(createThings({ fetch })));
  expect(count()).toBe(times);
});

test.for([503, 408, 500])(
  "a POST with a key and the response %i is sent 3 times with trustIdempotencyKeys",
  async (status) => {
    const { fetch, count, keys } = respondWith(status);
    const things = createThings({ fetch, trustIdempotencyKeys: true });
    await errorOf(things.createOnce({ name: "one" }));
    expect([count(), new Set(keys).size]).toEqual([3, 1]);
    await errorOf(things.create({ name: "one" }));
    expect(count()).toBe(4);
  },
);

test.for([
  [{ kind: "cut", after: "" }, "a lost connection"],
  [{ kind: "cut", after: httpResponse('{"id":1}').slice(0, -3) }, "a response that breaks off"],
  [{ kind: "hang" }, "a timeout"],
] as const)(
  "after %j, %s, a POST with a key is retried only with trustIdempotencyKeys",
  async ([end]) => {
    for (const trustIdempotencyKeys of [false, true]) {
      await using server = await startScriptedTcp(end, {
        kind: "respond",
        text: httpResponse(JSON.stringify(thing)),
      });
      const things = createThings({ baseUrl: server.baseUrl, timeout: 200, trustIdempotencyKeys });
      const call = things.createOnce({ name: "one" });
      if (trustIdempotencyKeys) expect(await call).toEqual(thing);
      else {
        const { outcome, attempts } = await errorOf<CallError>(call);
        expect([outcome, attempts.length]).toEqual(["unknown", 1]);
        expect(attempts[0]!.reason).toContain("trustIdempotencyKeys");
      }
    }
  },
);

test("each call has its own idempotency key, which all its attempts send", async () => {
  const { fetch, keys } = respondWith(503);
  const things = createThings({ fetch, trustIdempotencyKeys: true });
  await errorOf(things.createOnce({ name: "one" }));
  await errorOf(things.createOnce({ name: "one" }));
  await errorOf(things.createOnce({ name: "one" }, { idempotencyKey: "mine" }));
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(new Set(keys.slice(3, 6)).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[0]).not.toBe(keys[3]);
  expect(keys.slice(6)).toEqual(["mine", "mine", "mine"]);
});

test("a read whose JSON breaks off without a length is retried", async () => {
  const open = `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${JSON.stringify([thing]).slice(0, -4)}`;
  await using server = await startScriptedTcp(
    { kind: "cut", after: open },
    { kind: "respond", text: httpResponse(JSON.stringify([thing])) },
  );
  expect(await createThings({ baseUrl: server.baseUrl }).list()).toEqual([thing]);
});

test("in an outage, a client sends at most 1.1 requests for each call", async () => {
  const { fetch, count } = respondWith(503);
  const things = createThings({ fetch, retry: { baseDelay: 0 } });
  for (let i = 0; i < 1_000; i++) await errorOf(things.list());
  expect(count()).toBeLessThanOrEqual(1_100);
  const last = await errorOf<CallError>(things.list());
  expect(last.attempts[0]?.reason).toContain("retry budget is used up");
});

test("while every tenth request fails, at least 99.7 % of the calls succeed", async () => {
  const random = seeded(7);
  const fetch: FetchFunction = async () =>
    random() < 0.1 ? new Response("", { status: 503 }) : Response.json([thing]);
  const things = createThings({ fetch, retry: { baseDelay: 0 } });
  let succeeded = 0;
  for (let i = 0; i < 3_000; i++)
    if (
      await things.list().then(
        () => true,
        () => false,
      )
    )
      succeeded++;
  expect(succeeded / 3_000).toBeGreaterThanOrEqual(0.997);
});

test("a call that succeeds leaves no timer", async () => {
  await using server = await startHttp((_, response) => sendJson(response, [thing]));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await createThings({ baseUrl: server.baseUrl }).list();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

/** Creates a random sequence that is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
