import { tracingChannel } from "node:diagnostics_channel";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  ago,
  CallError,
  createLedgerClient,
  InputError,
  PlaceLostError,
  type ParallelCheckpoint,
  type ParallelOptions,
  type PageMessage,
  type ParallelWalk,
  type Reward,
} from "../src/index.ts";
import {
  address,
  atMinutes,
  MINUTE,
  serveRewards,
  start,
  times,
  type RewardsServer,
} from "./rewards-server.ts";

function clientOf({ fetch }: RewardsServer) {
  return createLedgerClient({ baseUrl: "https://ledger.test", fetch, retry: false });
}

function rewardsOf(server: RewardsServer, query: object = times, options: object = {}) {
  return clientOf(server).accounts.rewards({ address, ...query }, options);
}

async function toArray<T>(items: ParallelWalk<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of items) all.push(each);
  return all;
}

const hashes = (rewards: readonly { hash?: string | null | undefined }[]): string[] =>
  rewards.map(({ hash }) => String(hash));

async function walk(server: RewardsServer, options?: ParallelOptions): Promise<Reward[]> {
  return await toArray(rewardsOf(server).parallel(options));
}

test.for([
  ["as they arrive", "arrival"],
  ["in the order of the list", "list"],
] as const)("parts of a list are read at once and returned %s", async ([, order]) => {
  const server = serveRewards({ blocks: atMinutes(1_000), latency: () => 3 });
  const found = hashes(await walk(server, { lanes: 8, order }));
  // The last block includes max_time.
  const all = hashes(server.rewards.slice(1));
  if (order === "list") expect(found).toEqual(all);
  expect(found.toSorted()).toEqual(all.toSorted());
  // With the order of the list, lanes may wait until the first part is returned.
  expect(server.mostAtOnce).toBeGreaterThanOrEqual(order === "list" ? 5 : 8);
  expect(server.mostAtOnce).toBeLessThanOrEqual(8);
});

test("eight lanes read few pages twice", async () => {
  const server = serveRewards({ blocks: atMinutes(3_000), pageSize: 5, latency: () => 3 });
  await walk(server, { lanes: 8 });
  expect(server.queries.length).toBeLessThan(1.15 * (3_000 / 5));
});

test("a lane that finishes reads half of the longest remaining part", async () => {
  // Nearly all rewards are in the last hour of the three weeks.
  const busy = Array.from({ length: 600 }, (_, index) => start + 20 * 86_400_000 - index * 6_000);
  const server = serveRewards({ blocks: [start, ...busy.toReversed()], latency: () => 3 });
  const max_time = "2026-11-22T00:00:00Z";
  const list = clientOf(server).accounts.rewards({ address, min_time: new Date(start), max_time });
  const found = hashes(await toArray(list.parallel({ lanes: 4 })));
  expect(found.toSorted()).toEqual(hashes(server.rewards.slice(1)).toSorted());
  const begun = server.queries.filter((query) => !query.has("cursor"));
  expect(begun.length).toBeGreaterThan(8);
});

test("parallel resolves relative times once, at the start", async () => {
  const now = Date.now();
  const blocks = Array.from({ length: 400 }, (_, index) => now - (400 - index) * 5 * MINUTE);
  const server = serveRewards({ blocks });
  const list = clientOf(server).accounts.rewards({ address, min_time: ago(1, "day") });
  const run = list.parallel({ lanes: 2 });
  const found = await toArray(run);
  expect(found.length).toBeGreaterThan(280);
  const first = new Set(server.queries.map((query) => query.get("min_time")));
  expect([...first]).toEqual([expect.stringMatching(/^\d{4}-.*Z$/)]);
  const last = server.queries.map((query) => Date.parse(query.get("max_time") ?? ""));
  expect(Math.max(...last) - Date.parse(String([...first][0]))).toBe(86_400_000);
});

test("parallel reads an empty list and a list of one page", async () => {
  expect(await walk(serveRewards({ blocks: [] }))).toEqual([]);
  const one = serveRewards({ blocks: atMinutes(3) });
  expect(await walk(one, { lanes: 8 })).toHaveLength(2);
  expect(one.queries).toHaveLength(1);
});

test("a list whose oldest item comes first is read in one lane", async () => {
  const server = serveRewards({ blocks: atMinutes(200), order: "oldest", latency: () => 3 });
  const found = hashes(await walk(server, { lanes: 8 }));
  expect(found).toEqual(hashes(server.rewards.slice(1)).toReversed());
  expect(server.mostAtOnce).toBe(1);
});

test("a list whose records show no times is read in one lane", async () => {
  const server = serveRewards({ blocks: atMinutes(200), latency: () => 3 });
  const fetch: typeof server.fetch = async (url, init) => {
    const page = (await ((await server.fetch(url, init)) as Response).json()) as { data: object[] };
    return Response.json({
      ...page,
      data: page.data.map((each) => ({ ...each, timestamp: null })),
    });
  };
  const found = hashes(await walk({ ...server, fetch }, { lanes: 8 }));
  expect(found).toEqual(hashes(server.rewards.slice(1)));
  expect(server.mostAtOnce).toBe(1);
});

test("after a failure, next() retries, and no item is lost or repeated", async () => {
  let count = 0;
  const server = serveRewards({
    blocks: atMinutes(500),
    latency: () => 3,
    fault: () => (++count % 7 === 0 ? new Response("", { status: 503 }) : undefined),
  });
  const run = rewardsOf(server).parallel({ lanes: 8 });
  const found: Reward[] = [];
  let failures = 0;
  for (;;) {
    try {
      const next = await run.next();
      if (next.done === true) break;
      found.push(next.value);
    } catch {
      failures++;
    }
  }
  expect(failures).toBeGreaterThan(10);
  expect(hashes(found).toSorted()).toEqual(hashes(server.rewards.slice(1)).toSorted());
});

test("a checkpoint resumes all parts, also with other lanes and another order", async () => {
  const server = serveRewards({ blocks: atMinutes(500), rewardsOfBlock: 2, latency: () => 3 });
  const found: Reward[] = [];
  let checkpoint: ParallelCheckpoint | undefined;
  for (const [lanes, order] of [
    [8, "arrival"],
    [3, "list"],
    [1, "arrival"],
    [16, "arrival"],
  ] as const) {
    const run = rewardsOf(server).parallel({ lanes, order, checkpoint });
    const most = lanes === 16 ? Infinity : 211;
    for (let each = 0; each < most; each++) {
      const next = await run.next();
      if (next.done === true) break;
      found.push(next.value);
    }
    checkpoint = JSON.parse(JSON.stringify(run.checkpoint())) as ParallelCheckpoint;
    await run.return();
    expect(checkpoint.items).toBe(found.length);
  }
  expect(checkpoint?.parts).toEqual([]);
  expect(hashes(found).toSorted()).toEqual(hashes(server.rewards.slice(2)).toSorted());
});

test("parallel returns the items that were read, even if the next part fails", async () => {
  const server = serveRewards({
    blocks: atMinutes(300),
    latency: () => 3,
    fault: (query) =>
      query.get("max_time") === times.max_time ? undefined : new Response("", { status: 503 }),
  });
  const run = rewardsOf(server).parallel({ lanes: 4 });
  const found: Reward[] = [];
  for (let count = 0; count < 400; count++) {
    const next = await run.next().catch(() => undefined);
    if (next?.done === false) found.push(next.value);
  }
  // About a quarter of the list: up to the first part that always fails.
  expect(found.length).toBeGreaterThan(60);
  expect(hashes(found)).toEqual(hashes(server.rewards.slice(1, 1 + found.length)));
});

test("a checkpoint keeps the times that were resolved at the start of the walk", async () => {
  const now = Date.now();
  const blocks = Array.from({ length: 300 }, (_, index) => now - (300 - index) * 10 * MINUTE);
  const server = serveRewards({ blocks });
  const list = clientOf(server).accounts.rewards({ address, min_time: ago(1, "day") });
  const run = list.parallel({ lanes: 2 });
  await run.next();
  const checkpoint = run.checkpoint();
  await run.return();
  const sent = server.queries[0]?.get("min_time");
  server.queries.length = 0;
  await toArray(list.parallel({ checkpoint }));
  expect(new Set(server.queries.map((query) => query.get("min_time")))).toEqual(new Set([sent]));
  expect(run.checkpoint()).toEqual(checkpoint);
});

test("a list without the item where a part ends causes a PlaceLostError", async () => {
  let isChanged = false;
  const server = serveRewards({ blocks: atMinutes(600), latency: () => 3 });
  const fetch: typeof server.fetch = async (url, init) => {
    const page = (await ((await server.fetch(url, init)) as Response).json()) as {
      data: { hash: string }[];
    };
    // Every hash in the other parts differs, as if all records had been written again.
    const query = new URL(url).searchParams;
    const isFirst = !query.has("cursor") && query.get("max_time") !== times.max_time;
    isChanged ||= isFirst;
    const data = page.data.map((each) => (isFirst ? { ...each, hash: `${each.hash}-old` } : each));
    return Response.json({ ...page, data });
  };
  const run = rewardsOf({ ...server, fetch }).parallel({ lanes: 2 });
  const readAll = async (): Promise<void> => {
    while ((await run.next()).done !== true);
  };
  const error: unknown = await readAll().catch((reason: unknown) => reason);
  expect(isChanged).toBe(true);
  expect(error).toBeInstanceOf(PlaceLostError);
  expect(String(error)).toContain("did not find the item at which the next part begins");
  await expect(run.next()).rejects.toThrow("next part begins");
});

test("telemetry publishes the pages of all lanes with one list object", async () => {
  const lists: unknown[] = [];
  const subscriber = { start: ({ list }: PageMessage) => void lists.push(list) };
  const channel = tracingChannel("fieldmesh:page");
  channel.subscribe(subscriber as never);
  const server = serveRewards({ blocks: atMinutes(200), latency: () => 3 });
  await walk(server, { lanes: 4 });
  channel.unsubscribe(subscriber as never);
  expect(lists).toHaveLength(server.queries.length);
  expect(new Set(lists).size).toBe(1);
});

test("parallel splits another list by the parameters that the caller names", async () => {
  const seen: URLSearchParams[] = [];
  const rows = Array.from({ length: 400 }, (_, index) => ({
    hash: `t${index}`,
    type: "payment_v2",
    time: start / 1_000 + (400 - index) * 60,
  }));
  const client = createLedgerClient({
    baseUrl: "https://ledger.test",
    async fetch(url) {
      const query = new URL(url).searchParams;
      seen.push(query);
      const until = Date.parse(query.get("until") ?? "") / 1_000;
      const list = rows.filter(({ time }) => time < until);
      const from = Number(query.get("cursor") ?? 0);
      await Promise.resolve();
      return Response.json({
        data: list.slice(from, from + 5),
        ...(from + 5 < list.length && { cursor: String(from + 5) }),
      });
    },
  });
  const query = { since: times.min_time.toISOString(), until: times.max_time };
  const list = client.accounts.activity({ address }, { query });
  const found = await toArray(list.parallel({ lanes: 4, by: { min: "since", max: "until" } }));
  expect(hashes(found).toSorted()).toEqual(hashes(rows).toSorted());
  expect(seen.filter((each) => !each.has("cursor")).length).toBeGreaterThan(3);
});

/** Returns the error that the function throws. */
function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it was expected to throw");
}

test("a checkpoint of parallel is rejected if it has another form", async () => {
  const server = serveRewards({ blocks: atMinutes(300), latency: () => 3 });
  const run = rewardsOf(server).parallel({ lanes: 3 });
  for (let count = 0; count < 60; count++) await run.next();
  const checkpoint = run.checkpoint();
  await run.return();
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

test("an item that is no record is returned, in one lane", async () => {
  const items = [null, { hash: "h" }, 5];
  const fetch = async () => Response.json({ data: items });
  const client = createLedgerClient({ baseUrl: "https://ledger.test", fetch });
  const found = await toArray(client.accounts.rewards({ address, ...times }).parallel());
  expect(found).toEqual(items);
});

const ofWalk = rewardsOf(serveRewards({ blocks: [] }))
  .walk()
  .checkpoint();
test.each<[message: string, query: object, options: object]>([
  ["min_time: must be a Date", { min_time: "-999999999 day" }, {}],
  ["must be a Date, ISO 8601, or a relative time", { min_time: "yesterday" }, {}],
  ["max_time: must be a Date", { ...times, max_time: "-3 month" }, {}],
  ["options.checkpoint: is a checkpoint of `parallel`", times, { checkpoint: ofWalk }],
])("parallel throws an InputError before any request: %s", (message, query, options) => {
  const server = serveRewards({ blocks: atMinutes(20) });
  const error = thrownBy(() => rewardsOf(server, query, options).parallel());
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain(message);
  expect(server.queries).toEqual([]);
});

test("a list whose times the spec does not name needs their names", () => {
  const { accounts } = clientOf(serveRewards({ blocks: [] }));
  expect(() => accounts.activity({ address }).parallel()).toThrow("must name the parameters");
});

const NO_DATES = [
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  8_640_000_000_001,
  "2026-99-99",
  "2026-02-30T25:00:00Z",
  "+275761-01-01T00:00:00Z",
];

/** A ledger with 20 pages of items with the same time. */
function ledgerOf(time: unknown, field: "time" | "timestamp") {
  let pages = 0;
  return createLedgerClient({
    baseUrl: "https://ledger.test",
    validation: "off",
    retry: false,
    fetch: async () => {
      pages++;
      const data = [0, 1, 2].map((at) => ({ hash: `${pages}-${at}`, gateway: "g", [field]: time }));
      return Response.json({ data, ...(pages < 20 && { cursor: `c${pages}` }) });
    },
  });
}

const LONG = { min_time: "2020-01-01", max_time: "2026-11-01" };
const lists = {
  rewards: (time: unknown) => ledgerOf(time, "timestamp").accounts.rewards({ address, ...LONG }),
  activity: (time: unknown) =>
    ledgerOf(time, "time").accounts.activity({ address }, { query: LONG }),
};
const by = { min: "min_time", max: "max_time" };

for (const [name, listOf] of Object.entries(lists))
  test.each(NO_DATES)(
    `${name} whose time is %s are read in parallel, also from a checkpoint`,
    async (time) => {
      const good = name === "rewards" ? "2026-10-01T00:00:00Z" : 1_790_000_000;
      const early = listOf(good).parallel({ lanes: 1, by });
      for (let read = 0; read < 2; read++) await early.next();
      const checkpoint = early.checkpoint();
      for (const resumed of [undefined, checkpoint]) {
        let read = 0;
        try {
          for await (const _ of listOf(time).parallel({
            lanes: 4,
            order: "arrival",
            by,
            checkpoint: resumed,
          }))
            if (++read > 100) break;
          expect(read).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(CallError);
        }
      }
    },
  );
