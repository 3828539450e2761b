import { afterEach, beforeEach, expect, test, vi, type MockInstance } from "vitest";
import {
  BulkError,
  type BulkProgress,
  type CreateResult,
  type NewDevice,
  createConsoleClient,
} from "../src/index.ts";
import { deviceOf, idOf } from "./model-console.ts";
import { reset, startOddConsole } from "./odd-console.ts";

// What a run waits for: the caller's source and checkpoints have no limit, and end with the run.

const QUICK = { chunkSize: 2, settleTime: 1 } as const;
const SOON = 1_000;

/** A queue with four devices, and no next one for now. */
function queue() {
  const state = { isClosed: false };
  const left = [1, 2, 3, 4].map(deviceOf);
  const devices: AsyncIterable<NewDevice> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const value = left.shift();
        return value === undefined
          ? new Promise<never>(() => undefined)
          : Promise.resolve({ value });
      },
      return: () => {
        state.isClosed = true;
        return new Promise<never>(() => undefined);
      },
    }),
  };
  return { devices, state };
}

async function soon<T>(work: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it still waits")), SOON);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

test("a fatal error ends a run while its source has no next device, and closes the source", async () => {
  const { client } = startOddConsole(
    {},
    { fetch: () => Promise.resolve(new Response("{}", { status: 401 })) },
  );
  const { devices, state } = queue();
  const error = await soon(
    client.devices
      .createMany(devices, QUICK)
      .report()
      .catch((thrown: unknown) => thrown),
  );
  expect(error).toBeInstanceOf(BulkError);
  expect(state.isClosed).toBe(true);
});

test("break ends a run while its source has no next device, and closes the source", async () => {
  const { client } = startOddConsole({});
  const { devices, state } = queue();
  const seen: CreateResult[] = [];
  await soon(
    (async () => {
      for await (const result of client.devices.createMany(devices, QUICK)) {
        seen.push(result);
        break;
      }
    })(),
  );
  expect(seen).toHaveLength(1);
  expect(state.isClosed).toBe(true);
});

test("an aborted signal ends a run while its source has no next device, and closes the source", async () => {
  const { client } = startOddConsole({});
  const { devices, state } = queue();
  const controller = new AbortController();
  const run = client.devices.createMany(devices, { ...QUICK, signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  const error = await soon(run.report().catch((thrown: unknown) => thrown));
  expect(error).toMatchObject({ name: "BulkError", progress: { created: 4 } });
  await vi.waitFor(() => expect(state.isClosed).toBe(true));
});

test("the end of a run waits for a source that closes, and not longer than a second", async () => {
  const { client } = startOddConsole({});
  let isClosed = false;
  const slow = (async function* () {
    try {
      yield* [1, 2, 3, 4, 5, 6].map(deviceOf);
    } finally {
      await new Promise((resolve) => setTimeout(resolve, 100));
      isClosed = true;
    }
  })();
  for await (const _ of client.devices.createMany(slow, { ...QUICK, concurrency: 1 })) break;
  expect(isClosed).toBe(true);

  let wasAsked = false;
  const stuck: Iterable<NewDevice> & { return?: unknown } = {
    *[Symbol.iterator]() {
      yield* [1, 2, 3, 4, 5, 6].map(deviceOf);
    },
  };
  const endless: AsyncIterable<NewDevice> = {
    [Symbol.asyncIterator]() {
      const inner = stuck[Symbol.iterator]();
      return {
        next: () => Promise.resolve(inner.next()),
        return() {
          wasAsked = true;
          return new Promise<never>(() => undefined);
        },
      };
    },
  };
  const begin = performance.now();
  for await (const _ of client.devices.createMany(endless, { ...QUICK, concurrency: 1 })) break;
  expect(wasAsked).toBe(true);
  expect(performance.now() - begin).toBeLessThan(3_000);
});

test.each([2 ** 30, 2 ** 30 + 1, 2 ** 31 - 1])(
  "a timeout of %d ms works in every step of every method",
  async (timeout) => {
    let broken = 0;
    const lose = (_: number, add: () => void): void => {
      if (broken++ > 0) return;
      add();
      throw reset();
    };
    let changes = 0;
    const { client } = startOddConsole({
      receive: lose,
      change: () => {
        if (changes++ === 0) throw reset();
      },
    });
    const options = { ...QUICK, timeout, onCheckpoint: () => undefined };
    const fleet = [1, 2, 3].map(deviceOf);
    expect(await client.devices.createMany(fleet, { ...options, ifExists: "skip" })).toMatchObject({
      created: 3,
    });
    expect(
      await client.devices.setActiveMany([{ device_id: idOf(1), active: true }], options),
    ).toMatchObject({ done: 1 });
  },
);

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a checkpoint that is not stored is reported after 30 seconds, and the run ends with its signal", async () => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  const { client, devices } = startOddConsole({});
  const controller = new AbortController();
  const seen: BulkProgress[] = [];
  const run = client.devices.createMany([1, 2].map(deviceOf), {
    ...QUICK,
    signal: controller.signal,
    onProgress: (progress) => seen.push(progress),
    onCheckpoint: () => new Promise<never>(() => undefined),
  });
  const outcome = run.report().catch((error: unknown) => error);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(1));
  vi.advanceTimersByTime(29_000);
  expect(warn).not.toHaveBeenCalled();
  expect(seen.at(-1)?.waiting?.why).toBe("onCheckpoint has not stored the checkpoint yet");
  vi.advanceTimersByTime(40_000);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    "devices.createMany: onCheckpoint has not stored a checkpoint for 30 seconds. The run sends nothing more until it has, or until its signal aborts.",
  );
  expect(devices).toHaveLength(0);
  controller.abort("enough");
  // The last checkpoint has a second to be stored.
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await outcome).toMatchObject({ name: "BulkError", cause: "enough" });
});

const WINDOW = 600;
const devices = Array.from({ length: 12 }, () => ({ id: crypto.randomUUID() }));

/** A console that deletes devices and records the order of the requests. */
function openConsole(): { client: ReturnType<typeof createConsoleClient>; sent: string[] } {
  const sent: string[] = [];
  const fetch = async (url: string, { method }: { method: string }) => {
    const { pathname } = new URL(url);
    sent.push(`${method} ${pathname.split("/")[3]}`);
    if (method === "DELETE") return new Response("Device was deleted");
    return Response.json([]);
  };
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "one-of-my-keys",
    fetch,
    rateLimit: { requests: 6, window: WINDOW },
  });
  return { client, sent };
}

test("calls that start later precede the requests of a run", async () => {
  const { client, sent } = openConsole();
  const run = client.devices.deleteMany(devices, { settleTime: 0 });
  const all = run.then((report) => report.done);
  await new Promise((resolve) => setTimeout(resolve, WINDOW * 1.2));
  await client.labels.list();
  const before = sent.indexOf("GET labels");
  expect(await all).toBe(devices.length);
  expect(before).toBeGreaterThan(2);
  expect(before).toBeLessThan(sent.length - 2);
});
