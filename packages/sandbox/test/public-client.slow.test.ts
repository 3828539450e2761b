import { Client, Network } from "@helium/http";
import { expect, test } from "vitest";
import { startSandbox } from "../src/index.ts";

/** Returns all items of a list of the public client. */
async function allOf<T>(list: Promise<AsyncIterable<T>>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of await list) items.push(item);
  return items;
}

// The public client checks the addresses of accounts, and reads the parts of each type of transaction.
test.for([
  ["the default chain", {}],
  ["a chain of 30 blocks", { height: 30, accounts: 40 }],
] as const)("a public client of this API walks %s", async ([, options]) => {
  await using sandbox = await startSandbox({ ledger: { ...options, emptyPages: 0 } });
  const { baseUrl, state } = sandbox.ledger;
  // The client adds /v1 by itself.
  const network = new Network({ baseURL: baseUrl, version: 1 });
  const client = new Client(network, { userAgent: "test", retry: 0 });

  const blocks = await (await client.blocks.list()).take(20);
  expect(blocks.map(({ height }) => height)).toEqual(
    Array.from({ length: 20 }, (_, index) => state.height - index),
  );
  for (const { height } of blocks.slice(0, 5)) {
    const block = await client.blocks.get(height!);
    const transactions = await allOf(block.transactions.list());
    expect(transactions).toHaveLength(block.transactionCount!);
  }

  const accounts = await (await client.accounts.list()).take(30);
  expect(accounts).toHaveLength(30);
  const { address } = accounts[3]!;
  expect((await client.accounts.get(address)).speculativeNonce).toBeGreaterThan(0);
  const account = client.account(address);
  expect(await allOf(account.hotspots.list())).toHaveLength(3);
  const activity = await allOf(account.activity.list());
  expect(activity.length).toBeGreaterThan(20);
  const types = new Set(activity.map(({ type }) => type));
  expect([...types]).toEqual(
    expect.arrayContaining(["payment_v1", "payment_v2", "poc_receipts_v1", "rewards_v1"]),
  );
  const challenges = await allOf(account.challenges.list());
  expect(challenges.length).toBeGreaterThan(3);
  expect(challenges.every(({ path }) => path.length === 1)).toBe(true);
  const pending = await allOf(account.pendingTransactions.list());
  expect(pending.map(({ status }) => status)).toEqual(["received", "pending"]);

  const timeframe = { minTime: "-1 day", maxTime: new Date(sandbox.clock.now()) };
  const rewards = await allOf(account.rewards.list(timeframe));
  expect(rewards.length).toBeGreaterThan(5);
  expect(rewards.every((reward) => reward.account === address)).toBe(true);
  const sum = await account.rewards.sum.get("-1 day", new Date(sandbox.clock.now()));
  const total = rewards.reduce((bones, { amount }) => bones + amount.integerBalance, 0);
  expect(sum.balanceTotal.integerBalance).toBe(total);
  const days = await allOf(account.rewards.sum.list({ ...timeframe, bucket: "hour" }));
  expect(days.length).toBeGreaterThan(0);
});
