import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  bindClient,
  type CallError,
  type ClientMethods,
  type FetchFunction,
  type ApiError,
} from "../src/internal.ts";
import {
  createThingsTransport,
  errorOf,
  thing,
  type ThingsOptions,
  createThings,
} from "./things.ts";

const MINUTE = 60_000;
const LATENCY = 40;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Client extends ClientMethods<Client, ThingsOptions> {}

function createClient(options: ThingsOptions): Client {
  const create = (own: ThingsOptions, parent?: ThingsOptions["parent"]): Client =>
    bindClient(createThingsTransport({ ...own, ...(parent && { parent }) }), own, create);
  return create({ totalTimeout: 60 * MINUTE, retry: { baseDelay: 300 }, ...options });
}

const get = { method: "GET", path: "/v1/things" } as const;
const post = { method: "POST", path: "/v1/things", body: {} } as const;

/** Creates a service with windows of a minute that begin with the first request, and its headers about them. */
function serve(
  limit: number,
  says: "headers" | "nothing" = "nothing",
): { fetch: FetchFunction; sent: { at: number; status: number; method: string; path: string }[] } {
  const sent: { at: number; status: number; method: string; path: string }[] = [];
  const windows = new Map<string, { start: number; count: number }>();
  return {
    sent,
    fetch: async (url, { method }) => {
      await new Promise((resolve) => setTimeout(resolve, LATENCY / 2));
      const now = performance.now();
      const kind = method === "GET" ? "reads" : "writes";
      let window = windows.get(kind);
      if (window === undefined || now >= window.start + MINUTE)
        windows.set(kind, (window = { start: now, count: 0 }));
      const isOver = ++window.count > limit;
      const reset = Math.ceil((window.start + MINUTE - now) / 1_000);
      const path = new URL(url).pathname;
      sent.push({ at: now, status: isOver ? 429 : 200, method, path });
      await new Promise((resolve) => setTimeout(resolve, LATENCY / 2));
      const headers: Record<string, string> = {};
      if (says === "headers")
        Object.assign(headers, {
          "ratelimit-limit": String(limit),
          "ratelimit-remaining": String(Math.max(0, limit - window.count)),
          "ratelimit-reset": String(reset),
        });
      if (says !== "nothing" && isOver) headers["retry-after"] = String(reset);
      return isOver
        ? new Response("", { status: 429, headers })
        : Response.json([thing], { headers });
    },
  };
}

/** Makes a number of calls, some of them at once, and returns how long all of them took. */
async function run(
  client: Client,
  {
    calls,
    atOnce,
    request = get,
  }: { calls: number; atOnce: number; request?: typeof get | typeof post },
): Promise<number> {
  const start = performance.now();
  let left = calls;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await client.request(request);
  };
  const ended: number[] = [];
  const all = Promise.all(Array.from({ length: atOnce }, worker)).then(() =>
    ended.push(performance.now()),
  );
  while (ended.length === 0 && performance.now() < start + 60 * MINUTE)
    await vi.advanceTimersByTimeAsync(1_000);
  await all;
  return ended[0]! - start;
}

const rejections = (sent: readonly { status: number }[]): number =>
  sent.filter(({ status }) => status === 429).length;

describe("300 writes, 64 at once, with a limit of 120 a minute", () => {
  // The third window of 120 requests can begin after two minutes.
  const SHORTEST = 2 * MINUTE;

  test.each([
    ["the limit is configured", { rateLimit: 120 }, "nothing", 0, 1.05],
    [
      "the limit is configured for writes",
      { rateLimit: { reads: 9, writes: 120 } },
      "nothing",
      0,
      1.05,
    ],
    ["responses name the remaining requests", {}, "headers", 0, 1.05],
  ] as const)(
    "take at most 5 % longer than necessary if %s",
    async (_, options, says, most429, most) => {
      const { fetch, sent } = serve(120, says);
      const client = createClient({ ...options, fetch });
      const took = await run(client, { calls: 300, atOnce: 64, request: post });
      expect(took).toBeLessThan(SHORTEST * most);
      expect(sent.length - rejections(sent)).toBe(300);
      expect(rejections(sent)).toBeLessThanOrEqual(most429);
    },
  );
});

describe("a limit that is not configured", () => {
  test("causes at most one burst of 429s, and none in the nine minutes after it", async () => {
    const { fetch, sent } = serve(100, "headers");
    await run(createClient({ fetch }), { calls: 900, atOnce: 300 });
    const second = sent.findIndex(({ at }) => at >= sent[0]!.at + MINUTE);
    expect(rejections(sent.slice(second))).toBe(0);
    expect(sent.length - rejections(sent)).toBe(900);
    // The requests that were in flight.
    expect(rejections(sent)).toBeLessThanOrEqual(300);
  });

  test("is not derived from a single 429", async () => {
    let count = 0;
    const fetch: FetchFunction = async () =>
      ++count === 5
        ? new Response("", { status: 429, headers: { "retry-after": "1" } })
        : Response.json([thing]);
    const client = createClient({ fetch });
    expect(await run(client, { calls: 500, atOnce: 5 })).toBeLessThan(3_000);
    expect(client.rateLimit.state().reads.limit).toBeUndefined();
  });

  test("is counted separately for reads and writes if the service does so", async () => {
    const { fetch, sent } = serve(10, "headers");
    const client = createClient({ fetch, service: { countsWritesApart: true } });
    const reads = run(client, { calls: 10, atOnce: 5 });
    await run(client, { calls: 10, atOnce: 5, request: post });
    await reads;
    expect(rejections(sent)).toBe(0);
    expect(sent.at(-1)!.at - sent[0]!.at).toBeLessThan(1_000);
  });
});

describe("calls that wait for the limit", () => {
  test("are sent in the order in which they were made", async () => {
    const { fetch, sent } = serve(2);
    const client = createClient({ fetch, rateLimit: 2 });
    const paths = Array.from({ length: 9 }, (_, index) => `/v1/things/${index}` as const);
    const all = Promise.all(paths.map((path) => client.request({ method: "GET", path })));
    await vi.advanceTimersByTimeAsync(6 * MINUTE);
    await all;
    expect(sent.map(({ path }) => path)).toEqual(paths);
  });

  test("let a later call go first if they run in the background", async () => {
    const { fetch, sent } = serve(60);
    const client = createClient({ fetch, rateLimit: 60 });
    const bulk = Array.from({ length: 300 }, () => client.request(get, { priority: "background" }));
    // In the middle of the second minute of the background calls.
    await vi.advanceTimersByTimeAsync(1.5 * MINUTE);
    const start = performance.now();
    let took: number | undefined;
    const urgent = client.request(get).then(() => (took = performance.now() - start));
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    await Promise.all([urgent, ...bulk]);
    // At 60 requests a minute, the next request is a second away.
    expect(took).toBeLessThan(3_000);
    expect(rejections(sent)).toBe(0);
    // The background calls use the rest: 300 requests at 60 a minute.
    expect(sent.at(-1)!.at - sent[0]!.at).toBeLessThan(5 * MINUTE * 1.05);
  });

  test("end when their signal aborts, and leave no timer", async () => {
    const { fetch, sent } = serve(1);
    const client = createClient({ fetch, rateLimit: 1 });
    const first = client.request(get);
    await vi.advanceTimersByTimeAsync(LATENCY);
    await first;
    const controller = new AbortController();
    const waits = errorOf<CallError>(client.request(get, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(client.rateLimit.state().reads).toMatchObject({ waiting: 1, left: 0, limit: 1 });
    controller.abort();
    expect(await waits).toMatchObject({ name: "AbortError", outcome: "not_sent", attempts: [] });
    expect(client.rateLimit.state().reads).toMatchObject({ waiting: 0, nextAt: undefined });
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(sent).toHaveLength(1);
  });

  test("end with totalTimeout, and the error says why they were not sent", async () => {
    const { fetch } = serve(1);
    const client = createClient({ fetch, rateLimit: 1, totalTimeout: 5_000 });
    const first = client.request(get);
    const waits = errorOf<CallError>(client.request(post));
    await vi.advanceTimersByTimeAsync(6_000);
    await first;
    const error = await waits;
    expect(error).toMatchObject({ name: "TimeoutError", outcome: "not_sent", attempts: [] });
    expect(error.message).toContain(
      "was not sent: the rate limit had no permit for it within 5000 ms",
    );
    expect(error.message).toContain(
      "Allow more with the option totalTimeout, or call again later.",
    );
  });

  test("with retry: false are sent at once, because the caller handles the limit", async () => {
    const { fetch, sent } = serve(1);
    const client = createClient({ fetch, rateLimit: 1, retry: false });
    const both = Promise.allSettled([client.request(get), client.request(get)]);
    await vi.advanceTimersByTimeAsync(LATENCY);
    expect((await both).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(sent).toHaveLength(2);
  });

  test("return their permit if the next step fails", async () => {
    const { fetch, sent } = serve(1);
    let asked = 0;
    const apiKey = () => {
      if (++asked === 1) throw new Error("the vault is closed");
      return "one-of-my-keys";
    };
    const client = createClient({ fetch, rateLimit: 1, apiKey });
    await errorOf(client.request(get));
    const second = client.request(get);
    await vi.advanceTimersByTimeAsync(LATENCY);
    await second;
    expect(sent).toHaveLength(1);
  });
});

test("state returns the limit and the time of the next call", async () => {
  const { fetch } = serve(2);
  const client = createClient({ fetch, rateLimit: { reads: 2, writes: 1 } });
  const idle = { inFlight: 0, waiting: 0, nextAt: undefined, source: "option" };
  expect(client.rateLimit.state()).toEqual({
    reads: { ...idle, limit: 2, left: 2 },
    writes: { ...idle, limit: 1, left: 1 },
  });
  const all = Promise.all([client.request(get), client.request(get), client.request(get)]);
  await vi.advanceTimersByTimeAsync(1_000);
  const { reads, writes } = client.rateLimit.state();
  expect(reads).toMatchObject({ left: 0, waiting: 1, inFlight: 0 });
  expect(reads.nextAt!.getTime() - Date.now()).toBeGreaterThan(MINUTE - 2_000);
  expect(reads.nextAt!.getTime() - Date.now()).toBeLessThan(MINUTE * 1.02);
  expect(writes.left).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  await all;
  expect(createClient({ fetch, rateLimit: false }).rateLimit.state().reads).toEqual({
    ...idle,
    limit: undefined,
    left: undefined,
    source: undefined,
  });
});

test("rateLimit: false sends every request at once", async () => {
  const { fetch, sent } = serve(5, "headers");
  const client = createClient({ fetch, rateLimit: false, retry: false });
  const all = Promise.allSettled(Array.from({ length: 20 }, () => client.request(get)));
  await vi.advanceTimersByTimeAsync(LATENCY);
  await all;
  expect(rejections(sent)).toBe(15);
});

test("a limit that processes share receives a 429, so that the other processes receive none", async () => {
  vi.useRealTimers();
  let count = 0;
  const fetch: FetchFunction = async () =>
    ++count === 1
      ? new Response("", { status: 429, headers: { "retry-after": "0.2" } })
      : Response.json([thing]);
  const block = vi.fn(async () => undefined);
  const shared = { take: async () => 0, block };
  await createClient({ fetch, rateLimit: { requests: 9, shared } }).request(get);
  expect(block).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ limit: 9 }), 200);
});

test("the retry of an attempt that timed out waits for its permit", async () => {
  let count = 0;
  const fetch: FetchFunction = async () => {
    if (++count === 1) await new Promise(() => undefined);
    return Response.json([thing]);
  };
  const client = createClient({ fetch, rateLimit: 1, timeout: 1_000 });
  const call = client.request(get);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(client.rateLimit.state().reads.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(await call).toEqual([thing]);
  expect(count).toBe(2);
});

test("a call that ends while its retry waits for a permit has the outcome unknown", async () => {
  const fetch: FetchFunction = () => new Promise(() => undefined);
  const client = createClient({ fetch, rateLimit: 1, timeout: 1_000, totalTimeout: 10_000 });
  const failed = errorOf<CallError>(client.request(get));
  await vi.advanceTimersByTimeAsync(20_000);
  const error = await failed;
  expect(error).toMatchObject({ name: "TimeoutError", outcome: "unknown" });
  expect(error.attempts).toHaveLength(1);
  expect(error.message).not.toContain("was not sent");
});

describe("a call that waits for its permit", () => {
  test("releases the permit if the service asks all calls to wait, and uses it after that", async () => {
    const start = performance.now();
    const sent: number[] = [];
    let respond: (response: Response) => void = () => undefined;
    const fetch: FetchFunction = () => {
      sent.push(performance.now() - start);
      if (sent.length > 1) return Promise.resolve(Response.json([thing]));
      return new Promise((resolve) => (respond = resolve));
    };
    const things = createThings({
      fetch,
      rateLimit: 1,
      timeout: 5 * MINUTE,
      totalTimeout: 9 * MINUTE,
    });
    const first = errorOf(things.list({ totalTimeout: MINUTE }));
    const second = things.list();
    await vi.advanceTimersByTimeAsync(MINUTE - 1_000);
    respond(new Response("", { status: 429, headers: { "retry-after": "30" } }));
    await first;
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    await second;
    expect(sent).toHaveLength(2);
    // The pause ends after 89 s, and calls resume within a tenth more. The next permit would be free after two minutes.
    expect(sent[1]).toBeGreaterThanOrEqual(89_000);
    expect(sent[1]).toBeLessThanOrEqual(93_000);
  });
});

describe("while a service asks all calls to wait longer than the time of a call", () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-23T08:00:00Z") }));

  const limited = (): Response =>
    new Response("", { status: 429, headers: { "retry-after": "60" } });

  test("a new call is not sent, and names the time to retry", async () => {
    let sent = 0;
    const fetch: FetchFunction = async () => (sent++, limited());
    const things = createThings({ fetch, totalTimeout: 10_000 });
    await errorOf(things.list());
    await vi.advanceTimersByTimeAsync(5_000);
    const error = await errorOf<ApiError>(things.list());
    expect(sent).toBe(1);
    expect(error).toMatchObject({ status: 429, outcome: "not_sent", attempts: [] });
    expect(error.retryAt).toEqual(new Date("2026-11-23T08:01:00Z"));
    expect(error.message).toBe(
      "things.list (GET /v1/things) was not sent, because another call failed with 429. " +
        "The server asks to wait: call again after 2026-11-23T08:01:00.000Z.",
    );
  });
});
