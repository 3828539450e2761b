import { type Block, createLedgerClient } from "@fieldmesh/ledger-client";
import { expect, test } from "vitest";
import { createSandbox, type LedgerOptions } from "../../sandbox/src/index.ts";

const MINUTE = 60_000;

function openLedger(height: number, options: LedgerOptions = {}) {
  const sandbox = createSandbox({ ledger: { height, ...options } });
  const { baseUrl, fetch } = sandbox.ledger;
  return { sandbox, client: createLedgerClient({ baseUrl, fetch, retry: false }) };
}

/** Follows blocks while the clock of the sandbox advances. Returns their heights. */
async function follow(
  count: number,
  from: number,
  { sandbox, client }: ReturnType<typeof openLedger>,
) {
  const { clock } = sandbox;
  const heights: number[] = [];
  const follower = client.blocks.follow({ from, clock });
  const walk = (async () => {
    for await (const block of follower) if (heights.push(block.height) === count) break;
  })();
  for (let minutes = 0; heights.length < count && minutes < 10 * count; minutes++)
    await clock.advance(MINUTE);
  await walk;
  return heights;
}

test("returns the existing blocks and then new ones, in order, without a gap or a repeat", async () => {
  const heights = await follow(30, 995, openLedger(1_000));
  expect(heights).toEqual(Array.from({ length: 30 }, (_, index) => 995 + index));
});

test("catches up over several pages, even if the first page is short", async () => {
  const opened = openLedger(1_203);
  expect(await follow(455, 752, opened)).toEqual(
    Array.from({ length: 455 }, (_, index) => 752 + index),
  );
  // At most twice: once for the existing blocks, and once for those that appeared meanwhile. Then one request for each new block.
  expect(opened.sandbox.log.requests("blocks.list").length).toBeLessThan(12 + 3);
  expect(opened.sandbox.log.requests("blocks.get")).toHaveLength(0);
});

test("far behind, it reads the list backward once, then forward by its cursors: two requests for a page", async () => {
  const opened = openLedger(6_000);
  const { clock, log } = opened.sandbox;
  const heights: number[] = [];
  for await (const { height } of opened.client.blocks.follow({ from: 1, clock }))
    if (heights.push(height) === 6_000) break;
  expect(heights).toEqual(Array.from({ length: 6_000 }, (_, index) => 1 + index));
  expect(log.requests("blocks.list").length).toBeLessThan(140);
  expect(log.requests("blocks.get")).toHaveLength(0);
  expect(log.requests("blocks.height").length).toBeLessThan(3);
});

test.for([
  ["cursors that expire meanwhile", "expire"],
  ["blocks that move every page", "grow"],
] as const)("loses and repeats no block with %s", async ([, what]) => {
  const opened = openLedger(2_000, { expiringLists: "all" });
  const { clock, ledger, log } = opened.sandbox;
  const heights: number[] = [];
  for await (const { height } of opened.client.blocks.follow({ from: 1, clock })) {
    if (heights.push(height) === 2_000) break;
    if (heights.length % 350 !== 0) continue;
    if (what === "expire") ledger.state.expireCursors();
    else await clock.advance(130 * MINUTE);
  }
  expect(heights).toEqual(Array.from({ length: 2_000 }, (_, index) => 1 + index));
  const rejected = log.requests("blocks.list").filter(({ status }) => status === 400);
  expect(rejected.length > 0).toBe(what === "expire");
});

test("a failure while the pages are read forward loses no page", async () => {
  const { client, sandbox } = openLedger(1_000);
  const follower = client.blocks.follow({ from: 1 });
  const heights: number[] = [];
  let failures = 0;
  for (let call = 0; call < 1_010; call++) {
    if (call % 100 === 50) sandbox.setFaults([{ on: "blocks.list", kind: "reset", times: 1 }]);
    const result = await follower.next().catch(() => failures++);
    if (typeof result === "object") heights.push((result.value as Block).height);
    if (heights.length === 1_000) break;
  }
  expect(failures).toBeGreaterThan(5);
  expect(heights).toEqual(Array.from({ length: 1_000 }, (_, index) => 1 + index));
});

test.for([
  ["is in another order", (blocks: Block[]) => blocks.toReversed(), 0],
  ["is a block behind", (blocks: Block[]) => blocks.slice(1), 1],
  ["is empty", () => [], 30],
] as const)("no block is lost if the list %s", async ([, change, fewest]) => {
  const { sandbox } = openLedger(1_050);
  const { baseUrl, fetch } = sandbox.ledger;
  const client = createLedgerClient({
    baseUrl,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (new URL(url).pathname !== "/ledger/v1/blocks") return response;
      const { data } = (await response.json()) as { data: Block[] };
      return Response.json({ data: change(data) });
    },
  });
  expect(await follow(40, 1_021, { sandbox, client })).toEqual(
    Array.from({ length: 40 }, (_, index) => 1_021 + index),
  );
  expect(sandbox.log.requests("blocks.get").length).toBeGreaterThanOrEqual(fewest);
});

test("the rejection of a request without a cursor is an error, and does not count as an expired cursor", async () => {
  const { client, sandbox } = openLedger(1_000);
  sandbox.setFaults([{ on: "blocks.list", kind: "status", status: 400 }]);
  await expect(client.blocks.follow({ from: 500 }).next()).rejects.toMatchObject({ status: 400 });
  expect(sandbox.log.requests("blocks.get")).toHaveLength(0);
});

test("adapts its interval to that of the blocks, and sends only a few requests for each block", async () => {
  const opened = openLedger(1_000);
  await follow(40, 990, opened);
  const asked = opened.sandbox.log.requests("blocks.height").length;
  expect(asked).toBeGreaterThan(30);
  expect(asked).toBeLessThan(300);
});

test("keeps its position after a failure, and resumes from a height in another process", async () => {
  const { client, sandbox } = openLedger(1_100);
  const follower = client.blocks.follow({ from: 999 });
  const heights: number[] = [];
  const take = async () => {
    const { value } = await follower.next();
    heights.push((value as Block).height);
  };
  await take();
  await take();
  sandbox.setFaults([{ kind: "status", status: 503, times: 1 }]);
  await expect(take()).rejects.toMatchObject({ status: 503 });
  await take();
  expect(heights).toEqual([999, 1_000, 1_001]);
  await follower.return();
  expect(await follower.next()).toEqual({ done: true, value: undefined });
});

test("resumes after an outage of an hour, in order and without a gap", async () => {
  const opened = openLedger(1_000);
  const { clock } = opened.sandbox;
  opened.sandbox.setFaults([{ kind: "status", status: 503, times: Infinity }]);
  const heights: number[] = [];
  const walk = (async () => {
    const options = { from: 990, clock, keepTrying: 2 * 60 * MINUTE };
    for await (const { height } of opened.client.blocks.follow(options))
      if (heights.push(height) === 20) break;
  })();
  for (let minutes = 0; minutes < 60; minutes++) await clock.advance(MINUTE);
  expect(heights).toEqual([]);
  opened.sandbox.setFaults(undefined);
  for (let minutes = 0; heights.length < 20 && minutes < 200; minutes++)
    await clock.advance(MINUTE);
  await walk;
  expect(heights).toEqual(Array.from({ length: 20 }, (_, index) => 990 + index));
});
