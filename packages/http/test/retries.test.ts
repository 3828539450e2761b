import { expect, test, vi } from "vitest";
import type { ApiError, CallError, FetchFunction } from "../src/internal.ts";
import { readRetryAfter } from "../src/internal.ts";
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
  ["POST with a key", 504, 1],
  ["POST with a key", 408, 1],
  ["POST with a key", 409, 3],
  ["POST", 500, 1],
  ["GET", 500, 3],
  ["GET", 408, 3],
  ["GET", 504, 3],
  ["GET", 501, 1],
  ["GET", 400, 1],
  ["GET", 404, 1],
  ["POST", 409, 3],
] as const)("a %s with the response %i is sent %i times", async ([call, status, times]) => {
  const { fetch, count } = respondWith(status);
  await errorOf(calls[call]!(createThings({ fetch })));
  expect(count()).toBe(times);
});

test.for([503, 504, 408, 500, 502])(
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

test("a POST that was not sent is retried", async () => {
  const connectionError = Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
  });
  let count = 0;
  const fetch: FetchFunction = async () => {
    if (++count < 3) throw connectionError;
    return Response.json(thing, { status: 201 });
  };
  expect(await createThings({ fetch }).create({ name: "one" })).toEqual(thing);
  expect(count).toBe(3);
});

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

test("a read with a broken body is retried", async () => {
  const whole = httpResponse(JSON.stringify([thing]));
  await using server = await startScriptedTcp(
    { kind: "cut", after: whole.slice(0, -5) },
    { kind: "respond", text: whole },
  );
  expect(await createThings({ baseUrl: server.baseUrl }).list()).toEqual([thing]);
});

test("a read whose JSON breaks off without a length is retried", async () => {
  const open = `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${JSON.stringify([thing]).slice(0, -4)}`;
  await using server = await startScriptedTcp(
    { kind: "cut", after: open },
    { kind: "respond", text: httpResponse(JSON.stringify([thing])) },
  );
  expect(await createThings({ baseUrl: server.baseUrl }).list()).toEqual([thing]);
});

test("waits are random below a limit that doubles", async () => {
  const waits: (number | undefined)[][] = [[], [], []];
  const { fetch } = respondWith(503);
  const things = createThings({ fetch, retry: { attempts: 4, baseDelay: 4, maxDelay: 10 } });
  for (let i = 0; i < 8; i++) {
    const { attempts } = await errorOf<CallError>(things.list());
    attempts.slice(0, 3).forEach(({ wait }, at) => waits[at]!.push(wait));
  }
  const limits = [4, 8, 10];
  for (const [at, limit] of limits.entries()) {
    for (const wait of waits[at]!) {
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(limit);
    }
    expect(new Set(waits[at]).size).toBeGreaterThan(1);
  }
});

test("a wait that the server names replaces the random wait", async () => {
  const { fetch } = respondWith(
    new Response("", { status: 429, headers: { "retry-after": "0.05" } }),
    200,
  );
  const before = performance.now();
  await createThings({ fetch }).list();
  expect(performance.now() - before).toBeGreaterThanOrEqual(49);
});

test("a hint in the body overrides Retry-After", async () => {
  const busy = new Response('{"come_back_in_ms":40}', {
    status: 429,
    headers: { "retry-after": "0" },
  });
  const { fetch } = respondWith(busy, 200);
  const before = performance.now();
  await createThings({ fetch }).list();
  expect(performance.now() - before).toBeGreaterThanOrEqual(39);
});

test("a call rejects at once and names the time to retry if the wait exceeds the time left", async () => {
  const { fetch, count } = respondWith(
    new Response("", { status: 429, headers: { "retry-after": "60" } }),
  );
  const error = await errorOf<ApiError>(createThings({ fetch, totalTimeout: 5_000 }).list());
  expect(count()).toBe(1);
  expect(error.retryAt?.getTime()).toBeGreaterThan(Date.now() + 55_000);
  expect(error.message).toContain(`call again after ${error.retryAt?.toISOString()}`);
  expect(error.attempts[0]?.reason).toBe("the server asks to wait longer than the call may last");
});

test.for<[Record<string, string>, number | undefined]>([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": "0" }, 0],
  [
    { "retry-after": "Fri, 20 Nov 2026 08:00:30 GMT", date: "Fri, 20 Nov 2026 08:00:00 GMT" },
    30_000,
  ],
  [{ "retry-after": "Fri, 20 Nov 2026 07:00:00 GMT", date: "Fri, 20 Nov 2026 08:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{}, undefined],
])(
  "Retry-After %j is a wait of %s ms, with dates relative to the Date of the response",
  ([headers, expected]) => {
    expect(readRetryAfter(new Headers(headers))).toBe(expected);
  },
);

test("without a Date header, a Retry-After date is relative to the local clock", () => {
  const headers = new Headers({ "retry-after": "Fri, 20 Nov 2026 08:00:30 GMT" });
  expect(readRetryAfter(headers, Date.parse("2026-11-20T08:00:10Z"))).toBe(20_000);
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

test("totalTimeout ends a call between attempts with the last response", async () => {
  const { fetch } = respondWith(503);
  const before = performance.now();
  const error = await errorOf<ApiError>(
    createThings({
      fetch,
      totalTimeout: 100,
      retry: { attempts: 20, baseDelay: 60, maxDelay: 60 },
    }).list(),
  );
  expect(performance.now() - before).toBeLessThan(200);
  expect(error.status).toBe(503);
  expect(error.attempts.at(-1)?.reason).toBe("no time is left for another attempt");
});

test("totalTimeout ends an attempt that hangs", async () => {
  await using server = await startScriptedTcp({ kind: "hang" });
  const error = await errorOf<CallError>(
    createThings({ baseUrl: server.baseUrl, totalTimeout: 80 }).list(),
  );
  expect(error).toMatchObject({ name: "TimeoutError", limit: "totalTimeout" });
});

test("retry: false sends every request once", async () => {
  const { fetch, count } = respondWith(503);
  await errorOf(createThings({ fetch, retry: false }).list());
  expect(count()).toBe(1);
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

test("the limit of the waits doubles up to maxDelay", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1);
  const things = createThings({
    fetch: async () => new Response("", { status: 503 }),
    retry: { attempts: 5, baseDelay: 2, maxDelay: 10 },
  });
  const { attempts } = await errorOf<CallError>(things.list());
  vi.restoreAllMocks();
  expect(attempts.map(({ wait }) => wait)).toEqual([2, 4, 8, 10, undefined]);
});

/** Creates a random sequence that is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
