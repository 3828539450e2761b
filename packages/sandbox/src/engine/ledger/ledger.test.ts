import {
  ago,
  createLedgerClient,
  CursorExpiredError,
  CursorLoopError,
  type LedgerClientOptions,
  type Pager,
  stringifyJson,
} from "@fieldmesh/ledger-client";
import * as samples from "@fieldmesh/ledger-client/samples";
import * as Address from "@helium/address";
import { expect, test, describe } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import { ledgerFaults } from "./errors.ts";
import type { LedgerOptions } from "./ledger-state.ts";
import { timeReaders } from "./times.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;

function openLedger(ledger: LedgerOptions = {}, options: Partial<LedgerClientOptions> = {}) {
  const sandbox = createSandbox({ ledger });
  const { baseUrl, fetch, state } = sandbox.ledger;
  const client = createLedgerClient({ baseUrl, fetch, retry: false, ...options });
  const send = (path: string, headers: Record<string, string> = { "user-agent": "test" }) =>
    fetch(baseUrl + path, { headers, redirect: "manual" });
  return {
    sandbox,
    client,
    state,
    send,
    account: (index: number) => state.chain.addresses.of(index),
  };
}

test("a million blocks exist immediately, are linked to each other, and are the same in every run", async () => {
  const { client } = openLedger();
  const { height } = await client.blocks.height();
  expect(height).toBe(1_000_000);
  const [newest, before] = await client.blocks.list().toArray({ limit: 2 });
  expect(newest).toMatchObject({ height, prev_hash: before?.hash });
  expect(await client.blocks.getByHash({ hash: newest!.hash })).toEqual(newest);
  expect(await client.blocks.get({ height: 123_456 })).toEqual(
    await openLedger().client.blocks.get({ height: 123_456 }),
  );
});

test("the first page of blocks ends at a multiple of a hundred, and may therefore be empty", async () => {
  const { client, sandbox } = openLedger();
  const sizes = async () => {
    const pages = client.blocks.list({}, { maxPages: 3 }).pages();
    const counts = [];
    for await (const { items } of pages) counts.push(items.length);
    return counts;
  };
  expect(await sizes()).toEqual([0, 100, 100]);
  await sandbox.clock.advance(7 * MINUTE);
  expect(await sizes()).toEqual([7, 100, 100]);
});

test("the chain grows with the clock, and returns the height at a time", async () => {
  const { client, sandbox } = openLedger({ height: 500 });
  await sandbox.clock.advance(60 * MINUTE);
  expect(await client.blocks.height()).toEqual({ height: 560 });
  expect(await client.blocks.height({ max_time: ago(1, "hour") })).toEqual({ height: 499 });
  const { time } = await client.blocks.get({ height: 530 });
  expect((await client.blocks.height({ max_time: new Date(time * 1_000) })).height).toBe(529);
});

test("a chain without new blocks has a history, but does not grow", async () => {
  const { client, sandbox } = openLedger({ height: 500, blockInterval: Infinity });
  expect(await client.blocks.height({ max_time: ago(1, "hour") })).toEqual({ height: 439 });
  await sandbox.clock.advance(DAY);
  expect(await client.blocks.height()).toEqual({ height: 500 });
});

test("the list of all accounts contains each once, despite several consecutive empty pages with cursors", async () => {
  const { client, account } = openLedger({ accounts: 2_500, emptyPages: 0.5 });
  const addresses = new Set<string>();
  let [empty, run, longest, total] = [0, 0, 0, 0];
  for await (const { items } of client.accounts.list().pages()) {
    run = items.length === 0 ? run + 1 : 0;
    longest = Math.max(longest, run);
    empty += items.length === 0 ? 1 : 0;
    total += items.length;
    for (const { address } of items) addresses.add(address ?? "");
  }
  expect([total, addresses.size]).toEqual([2_500, 2_500]);
  expect(addresses.has(account(2_499))).toBe(true);
  expect(empty).toBeGreaterThan(5);
  expect(longest).toBeGreaterThan(1);
});

test("a cursor contains the filters", async () => {
  const { client, account } = openLedger({ emptyPages: 0 });
  const address = account(3);
  const rewards = client.accounts.rewards({
    address,
    min_time: ago(5, "day"),
    max_time: ago(1, "day"),
  });
  const all = await rewards.toArray({ limit: Infinity });
  // Five days before max_time, not before now.
  expect(all).toHaveLength(5 * 144 * 3);
  const activity = client.accounts.activity({ address }, { query: { filter_types: "payment_v1" } });
  const types = (await activity.toArray({ limit: Infinity })).map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(["payment_v1"]));
});

/** Returns each string of a response that may be an address. */
function addressesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"1[1-9A-HJ-NP-Za-km-z]{47,59}"/g)].map(([text]) =>
    text.slice(1, -1),
  );
}

test("every address has a checksum that another implementation accepts", async () => {
  const { send, account, state } = openLedger();
  const paths = [
    "accounts",
    "accounts/rich?limit=50",
    `accounts/${account(30)}`,
    ...["hotspots", "ouis", "activity", "challenges", "elections", "pending_transactions"].map(
      (list) => `accounts/${account(30)}/${list}`,
    ),
    `accounts/${account(30)}/rewards?min_time=-1%20day`,
    "blocks/999990/transactions",
  ];
  for (const path of paths) {
    const addresses = addressesIn(await (await send(`/v1/${path}`)).json());
    // A page may be empty.
    if (!/activity|elections/.test(path))
      expect([path, addresses.length > 0]).toEqual([path, true]);
    expect(addresses.filter((address) => !Address.default.isValid(address))).toEqual([]);
  }
  expect(state.chain.addresses.numberOf(account(2 ** 40))).toBe(2 ** 40);
  expect(state.chain.addresses.numberOf(state.chain.gateways.of(7))).toBeUndefined();
  expect(state.chain.addresses.numberOf(account(7).replace(/.$/, "1"))).toBeUndefined();
});

test("the addresses in the samples of the rows have checksums too", () => {
  const addresses = addressesIn(Object.values(samples));
  expect(new Set(addresses).size).toBeGreaterThanOrEqual(2);
  expect(addresses.filter((address) => !Address.default.isValid(address))).toEqual([]);
});

test.for<[string, LedgerOptions]>([
  ["a long chain", {}],
  ["a chain of 40 blocks", { height: 40 }],
  ["accounts without hotspots", { height: 500, hotspots: 0, accounts: 5 }],
])("each activity of an account names it and is in a block, in %s", async ([, options]) => {
  const { client, account } = openLedger({ accounts: 100, emptyPages: 0, ...options });
  const address = account(0);
  const activity = await client.accounts.activity({ address }).toArray({ limit: Infinity });
  for (const transaction of activity) expect(stringifyJson(transaction)).toContain(address);
  for (const transaction of activity.slice(0, 25)) {
    const { height, hash } = transaction;
    const { time } = await client.blocks.get({ height: height! });
    expect(transaction.time).toBe(time);
    const all = await client.blocks.transactions({ height: height! }).toArray({ limit: Infinity });
    expect(all.find((each) => each.hash === hash)).toEqual(transaction);
  }
  const types = [...new Set(activity.map(({ type }) => type))];
  const filter_types = ["payment_v1", "payment_v2", "rewards_v1", "poc_receipts_v1"];
  const counts = await client.accounts.activityCount({ address, filter_types });
  for (const type of filter_types)
    expect(counts[type]).toBe(activity.filter((each) => each.type === type).length);
  const challenges = await client.accounts.challenges({ address }).toArray({ limit: Infinity });
  expect(challenges).toEqual(activity.filter(({ type }) => type === "poc_receipts_v1"));
  if (options.height === undefined) expect(types).toHaveLength(5);
});

test("activity, elections and challenges are within the times of a filter", async () => {
  const { client, account, state } = openLedger({ accounts: 500 });
  const address = account(9);
  const query = { min_time: ago(2, "hour"), max_time: ago(1, "hour") };
  const last = state.height - 60;
  for (const list of [
    client.accounts.activity({ address }, { query }),
    client.accounts.challenges({ address }, { query }),
    client.accounts.elections({ address }, { query: { max_time: ago(1, "hour") } }),
  ] as Pager<{ height?: number | null }>[]) {
    const heights = (await list.toArray({ limit: Infinity })).map(({ height }) => height!);
    expect(heights.length).toBeGreaterThan(2);
    expect(Math.max(...heights)).toBeLessThanOrEqual(last);
  }
});

test("a chain of ten blocks has no record from before its first block", async () => {
  const { client, account, send } = openLedger({ height: 10, emptyPages: 0 });
  const address = account(20);
  const blocks = await client.blocks.list().toArray({ limit: Infinity });
  expect(blocks.map(({ height }) => height)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  for (const [index, block] of blocks.entries())
    expect(block.prev_hash).toBe(blocks[index + 1]?.hash);
  const genesis = blocks.at(-1)!.time * 1_000;
  const stats = Object.values(await client.accounts.stats({ address })).flat();
  const lists = ["hotspots", "ouis", "elections", "activity", "rewards?min_time=-52%20week"];
  const responses = [
    stats,
    await (await send("/v1/vars/activity")).json(),
    ...(await Promise.all(
      lists.map(async (list) => (await send(`/v1/accounts/${address}/${list}`)).json()),
    )),
  ];
  const text = stringifyJson(responses);
  for (const [, height] of text.matchAll(
    /"(?:height|block|block_added|last_change_block)":(-?\d+)/g,
  ))
    expect([1, 10]).toEqual([Math.min(1, Number(height)), Math.max(10, Number(height))]);
  for (const [, stamp] of text.matchAll(/"timestamp(?:_added)?":"([^"]+)"/g))
    expect(Date.parse(stamp!)).toBeGreaterThanOrEqual(genesis);
});

test("the speculative nonce includes pending transactions", async () => {
  const { client, account } = openLedger({ emptyPages: 0 });
  const address = account(4);
  const { nonce, speculative_nonce } = await client.accounts.get({ address });
  const pending = await client.accounts.pendingTransactions({ address }).toArray({ limit: 9 });
  expect(speculative_nonce).toBe(nonce! + pending.length);
  expect(pending.map(({ txn }) => (txn as { payer?: string } | null)?.payer)).toEqual([
    undefined,
    address,
  ]);
});

test("the sum of rewards equals that of the list, in total and by buckets", async () => {
  const { client, account } = openLedger();
  const range = { address: account(1), min_time: ago(3, "day"), max_time: "now" };
  const list = await client.accounts.rewards(range).toArray({ limit: Infinity });
  const total = list.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  const tokens = list.map(({ amount }) => Number(amount) / 100_000_000).toSorted((a, b) => a - b);
  const [whole] = await client.accounts.rewardsSum(range);
  expect(whole).toMatchObject({
    sum: total,
    total: Number(total) / 100_000_000,
    min: tokens[0],
    max: tokens.at(-1),
    avg: Number(total) / 100_000_000 / tokens.length,
    median: tokens[Math.floor(tokens.length / 2)],
    stddev: 0,
  });
  const buckets = await client.accounts.rewardsSum({ ...range, bucket: "day" });
  expect(buckets.length).toBeGreaterThan(2);
  expect(buckets.reduce((sum, bucket) => sum + (bucket.sum ?? 0n), 0n)).toBe(total);
});

test("a bucket has a sum for each hotspot, or one for all in a hosted deployment", async () => {
  const bucketsOf = async (options: LedgerOptions) => {
    const { client, account } = openLedger(options);
    const range = { address: account(1), min_time: ago(2, "day"), max_time: "now" };
    return client.accounts.rewardsSum({ ...range, bucket: "day" });
  };
  const spec = await bucketsOf({});
  const gateways = new Set(spec.map(({ gateway }) => gateway));
  const days = new Set(spec.map(({ timestamp }) => timestamp));
  expect([gateways.size, days.size, spec.length]).toEqual([3, 3, 9]);
  for (const options of [{ buckets: "time" }, { deployment: "hosted" }] as const) {
    const sums = await bucketsOf(options);
    expect(sums.map(({ timestamp }) => timestamp)).toEqual([...days]);
    expect(sums.every((sum) => !("gateway" in sum))).toBe(true);
    for (const { timestamp, sum } of sums) {
      const own = spec.filter((each) => each.timestamp === timestamp);
      expect(own.reduce((total, each) => total + (each.sum ?? 0n), 0n)).toBe(sum);
    }
  }
});

test("an account with 1,100 hotspots has at most 5,000 rewards a week, unless an option asks for more", async () => {
  const rewardsOf = async (options: LedgerOptions) => {
    const { client, account } = openLedger({ hotspots: 1_100, accounts: 2, ...options });
    const address = account(1);
    const range = { address, min_time: ago(1, "week"), max_time: "now" };
    return { list: client.accounts.rewards(range), client, range };
  };
  const { list, client, range } = await rewardsOf({});
  const rows = await list.toArray({ limit: Infinity });
  expect(rows.length).toBeGreaterThan(1_000);
  expect(rows.length).toBeLessThanOrEqual(5_000);
  expect(new Set(rows.map(({ gateway }) => gateway)).size).toBe(1_100);
  const total = rows.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  for (const bucket of [undefined, "week"] as const) {
    const sums = await client.accounts.rewardsSum({ ...range, bucket });
    expect(sums.reduce((sum, each) => sum + (each.sum ?? 0n), 0n)).toBe(total);
  }
  const all = await rewardsOf({ rewardsPerWeek: Infinity });
  expect(await all.list.toArray({ limit: 5_001 })).toHaveLength(5_001);
});

test("the list of the richest accounts has 1,000 of them, or 100 in a hosted deployment", async () => {
  const rich = async (options: LedgerOptions, limit?: number) =>
    (await openLedger(options).client.accounts.rich({ limit })).length;
  expect(await rich({})).toBe(1_000);
  expect(await rich({}, 700)).toBe(700);
  expect(await rich({ deployment: "hosted" }, 700)).toBe(100);
  expect(await rich({ deployment: "hosted", mostRich: 500 }, 700)).toBe(500);
});

test("the height of a hosted deployment says which time a relative time means", async () => {
  const { send } = openLedger({ height: 500, records: "full" });
  const response = await send("/v1/blocks/height?max_time=-90%20minutes");
  expect(await response.json()).toEqual({
    data: { height: 409 },
    meta: { max_time: "2026-11-20T06:30:00.000Z" },
  });
});

test.each<[string, LedgerOptions]>([
  ["deployment", { deployment: "other" as never }],
  ["times", { times: "other" as never }],
  ["rewardsPerWeek", { rewardsPerWeek: -1 }],
])("an invalid %s is a TypeError that names it", (name, options) => {
  expect(() => openLedger(options)).toThrow(new RegExp(`ledger.${name} must be`));
});

test("the block that contains max_time is excluded", async () => {
  const { client, account, state } = openLedger({ height: 1_000 });
  const max_time = new Date(state.chain.timeOf(900) * 1_000);
  const [newest] = await client.accounts
    .rewards({ address: account(0), max_time, min_time: ago(1, "week") })
    .toArray({ limit: 1 });
  expect(newest?.block).toBe(890);
});

test("a cursor expires by the clock, on the two lists of the spec and no other", async () => {
  const { client, sandbox } = openLedger({ cursorLifetime: DAY, emptyPages: 0 });
  const accounts = await client.accounts.list().page();
  const blocks = await client.blocks.list().page();
  await sandbox.clock.advance(DAY);
  const error = await client.accounts
    .list()
    .page(accounts.cursor)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CursorExpiredError);
  expect((await client.blocks.list().page(blocks.cursor)).items).toHaveLength(100);
});

test.each([
  ["Bad Request", undefined],
  ["Bad Request", "Bad Request"],
  ["Cursor Expired", "Cursor Expired"],
] as const)("an expired cursor is rejected with %j if expiredText is %j", async (error, text) => {
  const { send, state } = openLedger({ accounts: 1_500, expiredText: text });
  const { cursor } = (await (await send("/v1/accounts")).json()) as { cursor: string };
  state.expireCursors();
  const response = await send(`/v1/accounts?cursor=${cursor}`);
  expect([response.status, await response.json()]).toEqual([400, { error }]);
});

test.each<[string, unknown]>([
  ["no JSON", "{"],
  ["without a place", { row: "accounts.list", epoch: 0, time: Infinity }],
  ["with a place that is no number", { row: "accounts.list", at: "5", epoch: 0, time: 9e15 }],
  ["of another list", { row: "blocks.list", at: 5, epoch: 0, time: 9e15 }],
])("a cursor that is %s is a 400", async (_what, content) => {
  const { send } = openLedger({ accounts: 1_500 });
  const text = content === "{" ? "{" : JSON.stringify(content);
  const cursor = encodeURIComponent(btoa(encodeURIComponent(text)));
  expect((await send(`/v1/accounts?cursor=${cursor}`)).status).toBe(400);
});

test("rewards without a time are those of no block, or a 400 in a hosted deployment", async () => {
  const path = (account: string) => `/v1/accounts/${account}/rewards`;
  const spec = openLedger();
  const response = await spec.send(path(spec.account(0)));
  expect([response.status, await response.json()]).toEqual([200, { data: [] }]);
  const hosted = openLedger({ deployment: "hosted" });
  expect((await hosted.send(path(hosted.account(0)))).status).toBe(400);
});

test("the client detects a cursor loop of the sandbox", async () => {
  const { client, state } = openLedger({ loops: ["accounts.list"], emptyPages: 0 });
  const error = await client.accounts
    .list()
    .toArray({ limit: Infinity })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CursorLoopError);
  expect(error).toMatchObject({ pages: 2, items: 200 });
  state.loops.clear();
  expect(await client.accounts.list().toArray({ limit: 450 })).toHaveLength(450);
});

test("a list is the same whether the cursor contains the filters or each page reads its own", async () => {
  const walk = async (filtersInCursor: boolean, repeatQuery: boolean) => {
    const { client, account } = openLedger({ emptyPages: 0, filtersInCursor, times: "observed" });
    const query = {
      address: account(1),
      min_time: "2026-11-18T08:00:00Z",
      max_time: "2026-11-20T08:00:00Z",
    };
    return await client.accounts
      .rewards(query, { repeatQuery })
      .toArray({ limit: Infinity })
      .catch((error: Error) => error.name);
  };
  const whole = await walk(true, true);
  expect(whole).toHaveLength(2 * 144 * 3);
  expect(await walk(false, true)).toEqual(whole);
  expect(await walk(true, false)).toEqual(whole);
  expect(await walk(false, false)).toBe("ApiError");
});

test("a request without a User-Agent is rejected", async () => {
  const { send } = openLedger();
  const response = await send("/v1/blocks/height", {});
  expect([response.status, response.headers.get("content-type")]).toEqual([429, "text/html"]);
  expect(await response.text()).toContain("<title>429 Too Many Requests</title>");
  expect((await send("/v1/blocks/height")).status).toBe(200);
});

test("the response to too many requests within a minute contains the time to wait", async () => {
  const { send, sandbox } = openLedger({ requestsPerMinute: 2 });
  expect((await send("/v1/vars")).status).toBe(200);
  expect((await send("/v1/vars")).status).toBe(200);
  await sandbox.clock.advance(59_500);
  const response = await send("/v1/vars");
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "0"]);
  expect(await response.json()).toEqual({ error: "Too Busy", come_back_in_ms: 500 });
  await sandbox.clock.advance(500);
  expect((await send("/v1/vars")).status).toBe(200);
});

test("an unknown account has no rewards, no OUIs, no activity and a balance of 0", async () => {
  const { client } = openLedger();
  const address = "13unknownunknownunknown";
  const range = { address, min_time: ago(1, "day"), max_time: "now" };
  const nothing = { sum: 0n, total: 0, min: 0, max: 0, avg: 0, median: 0 };
  expect(await client.accounts.rewardsSum(range)).toMatchObject([nothing]);
  for (const bucket of await client.accounts.rewardsSum({ ...range, bucket: "hour" }))
    expect(bucket).toMatchObject(nothing);
  expect(await client.accounts.rewards(range).toArray({ limit: 9 })).toEqual([]);
  expect(await client.accounts.ouis({ address }).toArray({ limit: 9 })).toEqual([]);
  expect(await client.accounts.activity({ address }).toArray({ limit: 9 })).toEqual([]);
  expect(await client.accounts.elections({ address }).toArray({ limit: 9 })).toEqual([]);
  const { last_day } = await client.accounts.stats({ address });
  expect(new Set(last_day?.map(({ balance }) => balance))).toEqual(new Set([0n]));
});

test.each([
  ["rewards", "min_time=yesterday&max_time=now"],
  ["rewards", "min_time=2026-11-19T08:00:00Z&max_time=soon"],
  ["rewards/sum", "min_time=never&max_time=now"],
  ["rewards/sum", "max_time=never"],
])("%s with the invalid time %s are a 400", async (list, query) => {
  const { send, account } = openLedger();
  expect((await send(`/v1/accounts/${account(0)}/${list}?${query}`)).status).toBe(400);
});

test("integers beyond 2^53 arrive exactly", async () => {
  const { client, account } = openLedger();
  const { balance } = await client.accounts.get({ address: account(0) });
  expect(balance).toBe(12_345_678_901_234_567n);
  expect((await client.vars.list())["max_supply_bones"]).toBe(22_300_000_000_000_001n);
  const transactions = await client.blocks.transactions({ height: 77 }).toArray({ limit: 99 });
  expect(transactions.map(String).length).toBeGreaterThan(19);
});

test.for([
  ["/v1/blocks/9000000", 404],
  ["/v1/blocks/hash/nothing", 404],
  ["/v1/blocks/height?max_time=later", 400],
  ["/v1/accounts/13a/rewards/sum", 400],
  ["/v1/accounts/13a/rewards/sum?min_time=now", 400],
  ["/v1/unknown", 404],
  ["/anything", 404],
  ["/v1/accounts/13a/activity?min_time=later", 404],
  ["/v1/accounts?cursor=nonsense", 400],
  ["/v1/vars/nothing", 404],
  ["/v1/locations/123", 404],
] as const)("%s is answered %i with an error in JSON", async ([path, status]) => {
  const response = await openLedger().send(path);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: status === 400 ? "Bad Request" : "Not Found" });
});

test("the client retries after each typical failure of the ledger", async () => {
  const { client, sandbox } = openLedger({}, { retry: { attempts: 9, baseDelay: 1 } });
  const { throttled, throttledAtEdge, busy, broken } = ledgerFaults;
  sandbox.setFaults([throttled, throttledAtEdge, busy, broken]);
  expect(await client.blocks.height()).toEqual({ height: 1_000_000 });
  expect(sandbox.log.requests("blocks.height").map(({ status }) => status)).toEqual([
    429, 429, 503, 500, 200,
  ]);
});

const NOW = Date.parse("2026-11-20T08:00:00Z");
const read = (kind: keyof typeof timeReaders, text: string): string | undefined => {
  const time = timeReaders[kind](text, NOW);
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe("the ledger of the spec reads", () => {
  test.each([
    ["now", "2026-11-20T08:00:00.000Z"],
    ["2026-11-20", "2026-11-20T00:00:00.000Z"],
    ["20261120", "2026-11-20T00:00:00.000Z"],
    ["2026-11", "2026-11-01T00:00:00.000Z"],
    ["2026", "2026-01-01T00:00:00.000Z"],
    ["2026-W47", "2026-11-16T00:00:00.000Z"],
    ["2026-W47-5", "2026-11-20T00:00:00.000Z"],
    ["2026-324", "2026-11-20T00:00:00.000Z"],
    ["2026-11-20T07", "2026-11-20T07:00:00.000Z"],
    ["2026-11-20T07:30", "2026-11-20T07:30:00.000Z"],
    ["20261120T073015Z", "2026-11-20T07:30:15.000Z"],
    ["2026-11-20T07:30:15.25", "2026-11-20T07:30:15.250Z"],
    ["2026-11-20T07:30:15,25Z", "2026-11-20T07:30:15.250Z"],
    ["2026-11-20T07:30:15.123456789Z", "2026-11-20T07:30:15.123Z"],
    ["2026-W47-5T07:30Z", "2026-11-20T07:30:00.000Z"],
    ["2026324T0730Z", "2026-11-20T07:30:00.000Z"],
    ["2026-11-20T07:30z", "2026-11-20T07:30:00.000Z"],
    ["2026-11-20T07:30+05", "2026-11-20T02:30:00.000Z"],
    ["2026-11-20T07:30-0530", "2026-11-20T13:00:00.000Z"],
    ["2026-11-20T07:30+05:30", "2026-11-20T02:00:00.000Z"],
    ["-90 minutes", "2026-11-20T06:30:00.000Z"],
    ["-1 days", "2026-11-19T08:00:00.000Z"],
    ["-2 weeks", "2026-11-06T08:00:00.000Z"],
    ["-9 months", "2026-02-20T08:00:00.000Z"],
    ["-1 year", "2025-11-20T08:00:00.000Z"],
  ])("%s as %s", (text, time) => expect(read("spec", text)).toBe(time));
});

test.each([
  "",
  "yesterday",
  "08:30",
  "2026-13",
  "2026-02-29",
  "2026-W54",
  "2026-366",
  "2026-11-20T25:00",
  "2026-11-20T08:30:00ZZ",
  "2026-11-20T08:30[Europe/Paris]",
  "1",
  "-1  day",
  "-1 decade",
  "1 day",
  "+1 day",
  "-99999999999999 years",
])("the ledger of the spec does not read %j", (text) => expect(read("spec", text)).toBeUndefined());

test.each([
  ["2026-11-20T07:30:45Z", "2026-11-20T07:30:00.000Z"],
  ["now", "2026-11-20T08:00:00.000Z"],
  ["-1 week", "2026-11-13T08:00:00.000Z"],
  ["-1 weeks", undefined],
  ["-30 minute", undefined],
  ["20261120", undefined],
  ["2026-W47", undefined],
])("a hosted ledger reads %s as %s", (text, time) => expect(read("observed", text)).toBe(time));
