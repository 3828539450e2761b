import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  createLedgerClient,
  InputError,
  type ParallelCheckpoint,
  type ParallelOptions,
} from "../src/index.ts";
import {
  address,
  atMinutes,
  serveRewards,
  start,
  times,
  type RewardsServer,
} from "./rewards-server.ts";

// What a walk in parallel lanes reads and rejects, at each end of a range.

function rewardsOf({ fetch }: RewardsServer, query: object = times, options: object = {}) {
  const client = createLedgerClient({ baseUrl: "https://ledger.test", fetch, retry: false });
  return client.accounts.rewards({ address, ...query }, options);
}

/** Returns the error that the function throws. */
function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it was expected to throw");
}

describe("a checkpoint of parallel", () => {
  async function middleOf(server: RewardsServer): Promise<ParallelCheckpoint> {
    const run = rewardsOf(server).parallel({ lanes: 3 });
    for (let count = 0; count < 60; count++) await run.next();
    const checkpoint = run.checkpoint();
    await run.return();
    return checkpoint;
  }

  test("is rejected if it has another form", async () => {
    const server = serveRewards({ blocks: atMinutes(300), latency: () => 3 });
    const checkpoint = await middleOf(server);
    const [part, ...others] = checkpoint.parts;
    const changes: object[] = [
      { kind: "walk" },
      { call: 5 },
      { server: null },
      { path: undefined },
      { query: [] },
      { query: { a: 5 } },
      { range: {} },
      { range: { min: 5, max: checkpoint.range.max } },
      { checksum: 7 },
      { items: -1 },
      { items: 1.5 },
      { parts: {} },
      { parts: [{ ...part, max: 5 }, ...others] },
      { parts: [{ ...part, until: undefined }, ...others] },
      { parts: [{ ...part, place: {} }, ...others] },
      { parts: [{ ...part, first: { key: 5, time: null } }, ...others] },
      { parts: [{ ...part, stop: { key: "a", time: true } }, ...others] },
    ];
    for (const change of changes)
      expect(
        thrownBy(() =>
          rewardsOf(server).parallel({
            checkpoint: { ...checkpoint, ...change } as ParallelCheckpoint,
          }),
        ),
      ).toMatchObject({ reason: "invalid" });
    expect(rewardsOf(server).parallel({ checkpoint })).toBeDefined();
  });
});

describe("options of parallel", () => {
  const server = serveRewards({ blocks: atMinutes(3) });

  test.each<[object, string, string]>([
    [{ lanes: 0 }, "options.lanes", "must be a whole number from 1 to 64"],
    [{ lanes: 65 }, "options.lanes", "must be a whole number from 1 to 64"],
    [{ lanes: 1.5 }, "options.lanes", "must be a whole number from 1 to 64"],
    [{ order: "time" }, "options.order", 'must be "arrival" or "list"'],
    ...[
      null,
      {},
      { min: "a" },
      { max: "a" },
      { min: "", max: "b" },
      { min: "a", max: "" },
      { min: "a", max: 5 },
      { min: "a", max: "a" },
    ].map((by): [object, string, string] => [
      { by },
      "options.by",
      'must name two parameters, such as { min: "min_time", max: "max_time" }',
    ]),
  ])("are rejected by name: %j", (options, path, message) => {
    const error = thrownBy(() => rewardsOf(server).parallel(options as ParallelOptions));
    expect(error instanceof InputError && error.problems).toEqual([{ path, message }]);
  });

  test.each<[object]>([[{ lanes: 1 }], [{ lanes: 64 }], [{ order: undefined, by: undefined }]])(
    "accept %j",
    async (options) => {
      expect((await rewardsOf(server).parallel(options).next()).value?.block).toBe(1);
    },
  );

  test("are rejected with a suggestion if they are misspelled", () => {
    expect(thrownBy(() => rewardsOf(server).parallel({ lane: 5 } as never)).message).toContain(
      'parallel has no option "lane". Did you mean "lanes"?',
    );
  });

  test("cannot be combined with maxPages or a cursor", () => {
    expect(thrownBy(() => rewardsOf(server, times, { maxPages: 5 }).parallel())).toMatchObject({
      problems: [
        {
          path: "options.maxPages",
          message: "cannot be combined with `parallel`; `maxItems` can",
        },
      ],
    });
    expect(thrownBy(() => rewardsOf(server, { ...times, cursor: "c3" }).parallel())).toMatchObject({
      problems: [
        {
          path: "cursor",
          message: "cannot be combined with `parallel`, which splits a whole list",
        },
      ],
    });
  });
});

test("parallel uses the current time without a last time, and rejects a list without a first time", async () => {
  const server = serveRewards({ blocks: atMinutes(3) });
  const before = Date.now();
  await rewardsOf(server, { min_time: new Date(start) })
    .parallel()
    .next();
  const last = Date.parse(server.queries[0]?.get("max_time") ?? "");
  expect(last).toBeGreaterThanOrEqual(before);
  expect(last).toBeLessThanOrEqual(Date.now());
  const error = thrownBy(() => rewardsOf(server, { max_time: times.max_time }).parallel());
  expect(error).toMatchObject({
    problems: [
      {
        path: "min_time",
        message: "is required by `parallel`, which splits the time that follows",
      },
    ],
  });
});

test("return() at any item ends all requests of a walk", async () => {
  for (const order of ["arrival", "list"] as const)
    for (const most of [1, 7, 30, 60, 90, 150]) {
      const server = serveRewards({ blocks: atMinutes(300), latency: () => 3 });
      const run = rewardsOf(server).parallel({ lanes: 3, order });
      for (let count = 0; count < most; count++) await run.next();
      await run.return();
      const sent = server.queries.length;
      await turn();
      await turn();
      expect(server.queries).toHaveLength(sent);
      expect(await run.next()).toEqual({ done: true, value: undefined });
    }
});

test("return() during the first next() ends a walk before its first request", async () => {
  const server = serveRewards({ blocks: atMinutes(300) });
  const run = rewardsOf(server).parallel();
  const first = run.next();
  await run.return();
  expect(await first).toEqual({ done: true, value: undefined });
  expect(server.queries).toEqual([]);
});

test.each([1, 2, 3, 4, 59, 60])(
  "maxItems: %i ends the walk after that number of items",
  async (most) => {
    for (const order of ["arrival", "list"] as const) {
      const server = serveRewards({ blocks: atMinutes(300), latency: () => 3 });
      const run = rewardsOf(server, times, { maxItems: most }).parallel({ lanes: 3, order });
      let count = 0;
      for await (const _ of run) count++;
      expect(count).toBe(most);
      expect(run.checkpoint().items).toBe(most);
      const sent = server.queries.length;
      await turn();
      expect(server.queries).toHaveLength(sent);
    }
  },
);

test("an aborted walk rejects with the reason of its signal and sends nothing more", async () => {
  const server = serveRewards({ blocks: atMinutes(300), latency: () => 3 });
  const controller = new AbortController();
  const run = rewardsOf(server, times, { signal: controller.signal }).parallel({ lanes: 3 });
  await run.next();
  controller.abort("enough");
  await expect(run.next()).rejects.toMatchObject({ name: "AbortError", cause: "enough" });
  await turn();
  const sent = server.queries.length;
  await expect(run.next()).rejects.toMatchObject({ name: "AbortError" });
  await turn();
  expect(server.queries).toHaveLength(sent);
});
