import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AbortError, InputError, isApiError } from "../src/internal.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { createThings, errorOf, thing } from "./things.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a walk over two pages, of which the second fails until the outage is over. */
function walkThrough(
  outage: number,
  options: object,
  fail: () => Response = () => new Response("", { status: 503 }),
) {
  const began = Date.now();
  let requests = 0;
  const things = createThings({
    retry: false,
    fetch: async (url) => {
      requests++;
      if (!url.includes("cursor")) return Response.json({ data: [thing], cursor: "c1" });
      if (Date.now() - began < outage) return fail();
      return Response.json({ data: [{ ...thing, id: 2 }] });
    },
  });
  return { walk: things.walk({}, options), requests: () => requests, began };
}

const unreachable = (): Response => {
  throw Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" }),
  });
};

test.for([
  ["a server that responds with 503", undefined],
  ["a server that is gone", unreachable],
] as const)("a walk resumes after an outage of %s", async ([, fail]) => {
  const { walk, requests } = walkThrough(40 * MINUTE, { keepTrying: HOUR }, fail);
  const ids = idsOf(walk);
  await vi.advanceTimersByTimeAsync(42 * MINUTE);
  expect(await ids).toEqual([1, 2]);
  // Once the wait has grown, it lasts at least half a minute.
  expect(requests()).toBeLessThan(100);
  expect(requests()).toBeGreaterThan(40);
});

test("without keepTrying, and in a longer outage, next() rejects and the walk keeps its place", async () => {
  expect(isApiError(await errorOf(idsOf(walkThrough(HOUR, {}).walk)), 503)).toBe(true);
  const { walk, began } = walkThrough(2 * HOUR, { keepTrying: HOUR });
  const iterator = walk.walk();
  expect((await iterator.next()).value?.id).toBe(1);
  const failed = errorOf(iterator.next());
  await vi.advanceTimersByTimeAsync(61 * MINUTE);
  expect(isApiError(await failed, 503)).toBe(true);
  // The last attempt was made after the hour was over.
  expect(Date.now() - began).toBeGreaterThanOrEqual(HOUR);
  const next = iterator.next();
  await vi.advanceTimersByTimeAsync(HOUR);
  expect((await next).value?.id).toBe(2);
});

test.for([
  ["a wrong key", () => new Response("", { status: 401 })],
  ["a wrong request", () => new Response("", { status: 404 })],
  ["a response that is not a list", () => Response.json({ data: 7 })],
  [
    "an expired certificate",
    () => {
      throw Object.assign(new TypeError("fetch failed"), {
        cause: Object.assign(new Error("expired"), { code: "CERT_HAS_EXPIRED" }),
      });
    },
  ],
] as const)("keepTrying does not retry %s", async ([, fail]) => {
  const { walk, requests } = walkThrough(HOUR, { keepTrying: HOUR }, fail);
  await errorOf(idsOf(walk));
  expect(requests()).toBe(2);
});

test.for([429, 503])(
  "keepTrying believes a %s that names a year for five minutes",
  async (status) => {
    const { walk, requests } = walkThrough(
      9 * MINUTE,
      { keepTrying: Infinity },
      () => new Response("", { status, headers: { "retry-after": "31536000" } }),
    );
    const ids = idsOf(walk);
    await vi.advanceTimersByTimeAsync(12 * MINUTE);
    expect(await ids).toEqual([1, 2]);
    expect(requests()).toBe(4);
  },
);

test("the signal and return() end a wait at once", async () => {
  const controller = new AbortController();
  const { walk } = walkThrough(HOUR, { keepTrying: Infinity, signal: controller.signal });
  const failed = errorOf(idsOf(walk));
  await vi.advanceTimersByTimeAsync(MINUTE);
  controller.abort(new Error("enough"));
  expect(await failed).toBeInstanceOf(AbortError);

  const other = walkThrough(HOUR, { keepTrying: HOUR });
  const iterator = other.walk.walk();
  await iterator.next();
  const waiting = iterator.next();
  await vi.advanceTimersByTimeAsync(MINUTE);
  await iterator.return();
  expect((await waiting).done).toBe(true);
  const sent = other.requests();
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(other.requests()).toBe(sent);
});

test("a walk keeps prefetched pages through an outage", async () => {
  const list = startList({ length: 9 });
  list.failures.push(undefined, 500, 502, 503, 504, 429, 408);
  const ids = idsOf(list.things.walk({}, { keepTrying: HOUR }));
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(await ids).toEqual(upTo(9));
});

test.for([-1, 1.5, Number.NaN, "1h" as never])("keepTrying: %s is rejected", async (keepTrying) => {
  const { walk, requests } = walkThrough(0, { keepTrying });
  expect(await errorOf(idsOf(walk))).toBeInstanceOf(InputError);
  expect(requests()).toBe(0);
});

test.for([
  ["back by an hour", -HOUR],
  ["forward by ten years", 10 * 365 * 24 * HOUR],
] as const)("a clock that is set %s does not change how long a walk tries", async ([, jump]) => {
  const { walk, requests } = walkThrough(100 * 365 * 24 * HOUR, { keepTrying: HOUR });
  let hasEnded = false;
  const failed = errorOf(idsOf(walk)).finally(() => (hasEnded = true));
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  vi.setSystemTime(Date.now() + jump);
  await vi.advanceTimersByTimeAsync(49 * MINUTE);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(hasEnded).toBe(true);
  expect(isApiError(await failed, 503)).toBe(true);
  expect(requests()).toBeGreaterThan(60);
});
