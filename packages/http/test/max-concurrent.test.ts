import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { CallError, FetchFunction } from "../src/internal.ts";
import {
  createThings,
  createThingsTransport,
  eachThing,
  errorOf,
  thing,
  type ThingsOptions,
} from "./things.ts";

/** A fetch whose responses wait until they are released, and the most of them at once. */
function gate() {
  const waiting: (() => void)[] = [];
  let most = 0;
  let sent = 0;
  const fetch: FetchFunction = async () => {
    sent++;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    most = Math.max(most, waiting.length);
    await promise;
    return Response.json([thing]);
  };
  async function releaseAll(): Promise<void> {
    // Until nothing follows.
    for (let idle = 0; idle < 20; idle++) {
      await sleep(1);
      if (waiting.length > 0) idle = 0;
      for (const release of waiting.splice(0)) release();
    }
  }
  return { fetch, releaseAll, most: () => most, sent: () => sent };
}

/** Starts so many calls, half of which change something. */
function callAll(options: ThingsOptions, count: number): Promise<unknown[]> {
  const things = createThings(options);
  const calls = Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? things.list() : things.delete({ name: "x" }).catch(() => undefined),
  );
  return Promise.all(calls);
}

const OPTIONS: readonly (readonly [name: string, options: ThingsOptions, most: number])[] = [
  ["the default", {}, 64],
  ["a number", { maxConcurrent: 3 }, 3],
  ["false", { maxConcurrent: false }, 200],
  ["reads and writes apart", { maxConcurrent: 5, service: { countsWritesApart: true } }, 5],
  ["retry: false", { maxConcurrent: 4, retry: false }, 4],
  ["rateLimit: false", { maxConcurrent: 4, rateLimit: false }, 4],
  ["a rate limit", { maxConcurrent: 4, rateLimit: 10_000 }, 4],
];

test.each(OPTIONS)("with %s, no more requests are in progress", async (_, options, most) => {
  const server = gate();
  const calls = callAll({ ...options, fetch: server.fetch }, 200);
  await server.releaseAll();
  await calls;
  expect(server.most()).toBe(most);
  expect(server.sent()).toBe(200);
});

test.each([{ retry: { attempts: 2 } }, { retry: false } as const])(
  "the wait for a place counts for totalTimeout only, and ends unsent: %o",
  async ({ retry }) => {
    const server = gate();
    const things = createThings({ fetch: server.fetch, maxConcurrent: 1, retry, timeout: 5_000 });
    const first = things.list();
    const error = await errorOf<CallError>(things.delete({ name: "x" }, { totalTimeout: 20 }));
    expect(error).toMatchObject({ name: "TimeoutError", outcome: "not_sent", attempts: [] });
    expect(error.message).toContain(
      "was not sent: no place among its 1 calls at once (maxConcurrent) became free within 20 ms (totalTimeout)",
    );
    await server.releaseAll();
    await first;
    expect(server.sent()).toBe(1);

    const late = things.list({ timeout: 30, retry: false });
    const held = things.list({ timeout: 10_000 });
    await errorOf(late);
    await server.releaseAll();
    expect(await held).toEqual([thing]);
  },
);

test("a call that leaves the wait takes no place, and the next one goes", async () => {
  const server = gate();
  const things = createThings({ fetch: server.fetch, maxConcurrent: 1 });
  const first = things.list();
  await vi.waitFor(() => expect(server.sent()).toBe(1));
  const left = new AbortController();
  const ended = [undefined, false as const].map((retry) =>
    errorOf(things.list({ signal: left.signal, retry })),
  );
  const last = things.list({ retry: false });
  await sleep(1);
  left.abort();
  for (const error of await Promise.all(ended))
    expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent" });
  await server.releaseAll();
  expect(await Promise.all([first, last])).toEqual([[thing], [thing]]);
  expect(server.sent()).toBe(2);
});

test("clients of the same server and key share the places, until withOptions changes them", () => {
  const parent = createThingsTransport({ maxConcurrent: 2 });
  const sharedWith = (options: ThingsOptions) =>
    createThingsTransport({ ...options, parent }).connection.shared;
  const { shared } = parent.connection;
  expect(sharedWith({ maxConcurrent: 2, timeout: 1 }).limits).toBe(shared.limits);
  expect(sharedWith({ maxConcurrent: 3 }).places).not.toBe(shared.places);
  expect(sharedWith({ maxConcurrent: 2, rateLimit: 5 }).limits).not.toBe(shared.limits);
  expect(sharedWith({ maxConcurrent: 2, rateLimit: 5 }).places).toBe(shared.places);
});

test("no place is held while the code of the caller runs: loops whose bodies call", async () => {
  const fetch: FetchFunction = async () => Response.json([thing, { ...thing, id: 2 }]);
  for (const maxConcurrent of [1, 64]) {
    const parent = createThingsTransport({ fetch, maxConcurrent, totalTimeout: 2_000 });
    const options = { fetch, maxConcurrent, totalTimeout: 2_000, parent };
    const things = createThings(options);
    const loops = Array.from({ length: 64 }, async () => {
      let read = 0;
      for await (const each of eachThing(options)) {
        expect((await things.list())[0]?.id).toBe(each.id === 2 ? 1 : each.id);
        read++;
      }
      return read;
    });
    expect(await Promise.all(loops)).toEqual(loops.map(() => 2));
  }
});

test("no place is held while the key function runs: it may call the client", async () => {
  let status = 200;
  const fetch: FetchFunction = async (_, { headers }) => {
    const isOld = headers.get("key") === "first-key-0000" && status === 401;
    return isOld ? new Response("", { status: 401 }) : Response.json([thing]);
  };
  let asked = 0;
  const other = createThings({ fetch, apiKey: "second-key-000", maxConcurrent: 1 });
  const apiKey = async (): Promise<string> => {
    if (asked++ === 0) return "first-key-0000";
    await other.list();
    return "second-key-000";
  };
  const things = createThings({ fetch, apiKey, maxConcurrent: 1, totalTimeout: 2_000 });
  await things.list();
  status = 401;
  const calls = Array.from({ length: 10 }, () => things.list());
  expect(await Promise.all(calls)).toEqual(calls.map(() => [thing]));
});

test.each([0, -1, 1.5, "8", true, null])("maxConcurrent %o is rejected", (maxConcurrent) => {
  const make = () => createThings({ maxConcurrent } as unknown as ThingsOptions);
  expect(make).toThrow(/maxConcurrent must be an integer from 1/);
});
