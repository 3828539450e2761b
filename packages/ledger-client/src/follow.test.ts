import { InputError } from "@fieldmesh/http";
import { describe, expect, test } from "vitest";
import type { Block } from "./block.ts";
import { follow, type BlockFollower, type FollowOptions } from "./follow.ts";
import { createClock } from "../../../tools/testing/test-clock.ts";
import { serveChain } from "./testing/chain.ts";

/** Returns the times of blocks, in seconds, from the pauses between them. The first one exists from the start. */
function timesOf(...pauses: number[]): number[] {
  let time = 0;
  return [0, ...pauses.map((pause) => (time += pause))];
}

/** Returns the heights of the next blocks. */
async function heightsOf(follower: BlockFollower, count: number): Promise<number[]> {
  const heights: number[] = [];
  for await (const { height } of follower) if (heights.push(height) === count) break;
  return heights;
}

/** Returns the heights from one to another. */
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("the wait for a block", () => {
  test.each<[string, number[], Partial<FollowOptions>, number[]]>([
    ["minWait before two blocks are known", [2], {}, [1_000, 1_000]],
    [
      "a quarter of the last interval",
      [8, 8],
      {},
      [...Array<number>(8).fill(1_000), ...Array<number>(4).fill(2_000)],
    ],
    ["a second at least", [2, 2, 2], {}, Array<number>(6).fill(1_000)],
    [
      "a minute at most",
      [400, 120],
      { minWait: 50_000 },
      [...Array<number>(8).fill(50_000), 60_000, 60_000],
    ],
    ["minWait at least", [9, 9], { minWait: 3_000 }, Array<number>(6).fill(3_000)],
    [
      "the quarter if minWait is the same",
      [12, 12],
      { minWait: 3_000 },
      Array<number>(8).fill(3_000),
    ],
    [
      "maxWait at most",
      [20, 20],
      { maxWait: 4_000 },
      [...Array<number>(20).fill(1_000), ...Array<number>(5).fill(4_000)],
    ],
    [
      "minWait if that is above maxWait",
      [14, 14],
      { minWait: 7_000, maxWait: 2_000 },
      Array<number>(4).fill(7_000),
    ],
  ])("is %s", async (_, pauses, options, waits) => {
    const clock = createClock();
    const { client } = serveChain(clock, timesOf(...pauses));
    const follower = client.blocks.follow({ from: 1, clock, ...options });
    expect(await heightsOf(follower, pauses.length + 1)).toEqual(range(1, pauses.length + 1));
    expect(clock.waits).toEqual(waits);
  });

  test("may be zero, and receives a signal that return() aborts", async () => {
    const received: [number, boolean | undefined][] = [];
    const clock = createClock();
    const follower = serveChain(clock, []).client.blocks.follow({
      from: 1,
      minWait: 0,
      maxWait: 0,
      clock: {
        ...clock,
        async sleep(ms, signal) {
          await follower.return();
          received.push([ms, signal?.aborted]);
        },
      },
    });
    expect(await follower.next()).toEqual({ done: true, value: undefined });
    expect(received).toEqual([[0, true]]);
  });
});

describe("the requests of a follower", () => {
  test("ask for the height only when all known blocks were returned", async () => {
    const clock = createClock();
    const { client, requests } = serveChain(clock, timesOf(0, 0, 1));
    await heightsOf(client.blocks.follow({ from: 1, clock }), 4);
    expect(requests).toEqual(["/height", "", "/height", "/height", ""]);
  });

  test("ask for the last existing block at once, and wait for the next one", async () => {
    const clock = createClock();
    const { client, requests } = serveChain(clock, timesOf(0, 0, 3));
    const follower = client.blocks.follow({ from: 3, clock });
    expect(await heightsOf(follower, 1)).toEqual([3]);
    expect(clock.waits).toEqual([]);
    requests.length = 0;
    expect(await heightsOf(client.blocks.follow({ from: 4, clock }), 1)).toEqual([4]);
    expect(requests).toEqual(["/height", "/height", "/height", "/height", ""]);
    expect(clock.waits).toEqual([1_000, 1_000, 1_000]);
  });

  test("read a page of blocks one by one after a gap in the list, and then the list again", async () => {
    const clock = createClock();
    const times = [...Array<number>(250).fill(0), 1];
    const { client, requests } = serveChain(clock, times, { isListEmpty: true });
    expect(await heightsOf(client.blocks.follow({ from: 1, clock }), 251)).toEqual(range(1, 251));
    const one = (height: number): string => `/${height}`;
    expect(requests).toEqual([
      "/height",
      "",
      ...range(1, 100).map(one),
      "",
      ...range(101, 200).map(one),
      "",
      ...range(201, 250).map(one),
      "/height",
      "/height",
      "",
      "/251",
    ]);
  });

  test("have the limits of the call and its signal, and none of the follower's options", async () => {
    const block: Block = { hash: "h", height: 1, time: 0, transaction_count: 0 };
    const seen: [string, object, object][] = [];
    const { client } = serveChain(createClock(), [], { isListEmpty: true });
    const follower = follow(
      {
        async height(input, options) {
          seen.push(["height", input, options]);
          return { height: 1 };
        },
        list(input, options) {
          seen.push(["list", input, options]);
          return client.blocks.list();
        },
        async get(input, options) {
          seen.push(["get", input, options]);
          return block;
        },
      },
      {
        from: 1,
        minWait: 1,
        maxWait: 2,
        keepTrying: 3,
        clock: createClock(),
        timeout: 4,
        priority: "background",
        headers: { "x-test": "5" },
      },
    );
    expect(await follower.next()).toEqual({ done: false, value: block });
    const options = {
      timeout: 4,
      priority: "background",
      headers: { "x-test": "5" },
      signal: expect.any(AbortSignal),
    };
    expect(seen).toEqual([
      ["height", {}, options],
      ["list", {}, { ...options, prefetch: 0 }],
      ["get", { height: 1 }, options],
    ]);
  });
});

describe("a failure of a follower", () => {
  test("is thrown without a wait, and the next next() retries the same block", async () => {
    const clock = createClock();
    let failures = 2;
    const { client } = serveChain(clock, timesOf(0, 0), {
      fault: () => (failures-- > 0 ? new Response("", { status: 503 }) : undefined),
    });
    const follower = client.blocks.follow({ from: 2, clock });
    const calls = await Promise.allSettled([1, 2, 3, 4].map(async () => await follower.next()));
    expect(
      calls.map((call) => (call.status === "fulfilled" ? call.value.value?.height : "-")),
    ).toEqual(["-", "-", 2, 3]);
    expect(clock.waits).toEqual([]);
  });

  test("is retried by the given clock until keepTrying is over, and then thrown", async () => {
    const clock = createClock();
    const { client } = serveChain(clock, timesOf(0), {
      fault: () => new Response("", { status: 503 }),
    });
    const follower = client.blocks.follow({ from: 1, clock, keepTrying: 10_000 });
    await expect(follower.next()).rejects.toMatchObject({ status: 503 });
    expect(clock.now()).toBe(10_000);
    expect(clock.waits.length).toBeGreaterThan(2);
  });

  test.each<[Partial<FollowOptions>, string, string]>([
    [{ from: -1 }, "from", "must be a block height: a whole number from 0 up"],
    [{ from: 0.5 }, "from", "must be a block height: a whole number from 0 up"],
    [{ from: "1" as never }, "from", "must be a block height: a whole number from 0 up"],
    ...(["minWait", "maxWait", "keepTrying"] as const).flatMap(
      (name): [Partial<FollowOptions>, string, string][] =>
        [-1, 0.5, Number.NaN].map((value) => [
          { [name]: value },
          `options.${name}`,
          "must be a whole number from 0 up, or Infinity",
        ]),
    ),
  ])("names the invalid option, before a request: %o", async (options, path, message) => {
    const clock = createClock();
    const { client, requests } = serveChain(clock, timesOf(0));
    const follower = client.blocks.follow({ from: 1, clock, ...options });
    const error: unknown = await follower.next().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      call: "blocks.follow",
      route: "GET /v1/blocks/height",
      problems: [{ path, message }],
    });
    expect(requests).toEqual([]);
  });
});

test("from: 0 reads the block at the height 0 without a wait", async () => {
  const clock = createClock();
  const { client, requests } = serveChain(clock, timesOf(), { isListEmpty: true });
  expect(await heightsOf(client.blocks.follow({ from: 0, clock }), 1)).toEqual([0]);
  expect(clock.waits).toEqual([]);
  expect(requests).toEqual(["/height", "", "/0"]);
});

test("a follower iterates over itself, and return() ends it for good", async () => {
  const clock = createClock();
  const { client, requests } = serveChain(clock, timesOf(0));
  const follower = client.blocks.follow({ from: 1, clock });
  expect(follower[Symbol.asyncIterator]()).toBe(follower);
  const end = { done: true, value: undefined };
  expect(await follower.return()).toEqual(end);
  expect(await follower.next()).toEqual(end);
  expect(requests).toEqual([]);
});

test("an unknown option throws, and names the option that may be meant", () => {
  const { client } = serveChain(createClock(), timesOf());
  expect(() => client.blocks.follow({ from: 1, minWat: 5 } as never)).toThrow(
    'blocks.follow has no option "minWat". Did you mean "minWait"?',
  );
});

test.each([
  ["before the first request", 0],
  ["during a request", 1],
  ["during a wait", 2],
] as const)("the signal ends a follower without an error: %s", async (_, when) => {
  const controller = new AbortController();
  const clock = createClock();
  const { client, requests } = serveChain(clock, [], {
    fault() {
      if (when === 1) controller.abort();
      return undefined;
    },
  });
  if (when === 0) controller.abort();
  const follower = client.blocks.follow({
    from: 1,
    signal: controller.signal,
    clock: {
      ...clock,
      async sleep(ms, signal) {
        controller.abort();
        await clock.sleep(ms, signal);
      },
    },
  });
  const end = { done: true, value: undefined };
  expect(await follower.next()).toEqual(end);
  expect(await follower.next()).toEqual(end);
  expect(requests).toHaveLength(when === 0 ? 0 : 1);
});
