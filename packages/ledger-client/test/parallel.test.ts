import { tracingChannel } from "node:diagnostics_channel";
import { expect, test } from "vitest";
import {
  ago,
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

function rewardsOf(server: RewardsServer) {
  return clientOf(server).accounts.rewards({ address, ...times });
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

test("break cancels every lane, and maxItems ends the walk", async () => {
  const server = serveRewards({ blocks: atMinutes(500), latency: () => 3 });
  for await (const reward of rewardsOf(server).parallel({ lanes: 4 })) {
    expect(reward.block).toBe(498);
    break;
  }
  const sent = server.queries.length;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(server.queries.length).toBe(sent);
  const some = clientOf(server).accounts.rewards({ address, ...times }, { maxItems: 100 });
  expect(await toArray(some.parallel({ lanes: 4 }))).toHaveLength(100);
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

test("a signal ends the walk at once", async () => {
  const server = serveRewards({ blocks: atMinutes(500), latency: () => 3 });
  const controller = new AbortController();
  const { signal } = controller;
  const run = clientOf(server)
    .accounts.rewards({ address, ...times }, { signal })
    .parallel();
  await run.next();
  controller.abort();
  await expect(run.next()).rejects.toThrow("aborted");
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

test.for<[string, (server: RewardsServer) => unknown]>([
  [
    "min_time: is required by `parallel`",
    (server) => clientOf(server).accounts.rewards({ address, max_time: "now" }).parallel(),
  ],
  [
    "min_time: must be a Date",
    (server) =>
      clientOf(server).accounts.rewards({ address, min_time: "-999999999 day" }).parallel(),
  ],
  [
    "must be a Date, ISO 8601, or a relative time",
    (server) => clientOf(server).accounts.rewards({ address, min_time: "yesterday" }).parallel(),
  ],
  [
    "must name the parameters",
    (server) => clientOf(server).accounts.activity({ address }).parallel(),
  ],
  [
    "cursor: cannot be combined",
    (server) =>
      clientOf(server)
        .accounts.rewards({ address, ...times, cursor: "c3" })
        .parallel(),
  ],
  [
    "options.maxPages: cannot be combined",
    (server) =>
      clientOf(server)
        .accounts.rewards({ address, ...times }, { maxPages: 3 })
        .parallel(),
  ],
  [
    "options.lanes: must be a whole number from 1 to 64",
    (server) => rewardsOf(server).parallel({ lanes: 0 }),
  ],
  [
    "options.lanes: must be a whole number from 1 to 64",
    (server) => rewardsOf(server).parallel({ lanes: 65 }),
  ],
  [
    'options.order: must be "arrival" or "list"',
    (server) => rewardsOf(server).parallel({ order: "any" as "list" }),
  ],
  [
    "options.by: must name two parameters",
    (server) => rewardsOf(server).parallel({ by: { min: "a", max: "a" } }),
  ],
  [
    "options.checkpoint: is a checkpoint of `parallel`",
    (server) => {
      const { checkpoint } = { checkpoint: rewardsOf(server).walk().checkpoint() };
      return clientOf(server)
        .accounts.rewards({ address, ...times }, { checkpoint })
        .parallel();
    },
  ],
])("parallel throws an InputError before any request: %s", ([message, begin]) => {
  const server = serveRewards({ blocks: atMinutes(20) });
  let error: unknown;
  try {
    begin(server);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(InputError);
  expect(String(error)).toContain(message);
  expect(server.queries).toEqual([]);
});
