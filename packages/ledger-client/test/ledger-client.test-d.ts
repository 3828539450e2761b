import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  isKnownTransaction,
  type Account,
  type Block,
  type Hotspot,
  type LedgerClient,
  type Pager,
  type PagerIterator,
  type PocReceipts,
  type Reward,
  type RewardsSum,
  type TimedPager,
  type ParallelWalk,
  type ParallelCheckpoint,
  type Transaction,
} from "../src/index.ts";

declare const client: LedgerClient;
const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";

test("methods resolve to the results of their rows, and lists are pagers", () => {
  expectTypeOf(client.blocks.getByHash).returns.resolves.toEqualTypeOf<Block>();
  expectTypeOf(client.blocks.list()).toEqualTypeOf<Pager<Block>>();
  expectTypeOf(client.blocks.list().walk()).toEqualTypeOf<PagerIterator<Block>>();
  expectTypeOf(client.accounts.rich()).resolves.toEqualTypeOf<Account[]>();
  expectTypeOf(
    client.accounts.rewardsSum({ address, min_time: new Date(), max_time: "now" }),
  ).resolves.toEqualTypeOf<RewardsSum[]>();
});

test("the next call accepts the values that a list returns", () => {
  const account = {} as Account;
  const hotspot = {} as Hotspot;
  expectTypeOf(client.accounts.rewards({ address: account.address })).toEqualTypeOf<
    TimedPager<Reward>
  >();
  void client.accounts.hotspots({ address: account.address });
  expectTypeOf(hotspot.address).toEqualTypeOf<string>();
});

test("amounts are bigints, and data credits are numbers or bigints", () => {
  expectTypeOf<Account["balance"]>().toEqualTypeOf<bigint | null | undefined>();
  expectTypeOf<Account["dc_balance"]>().toEqualTypeOf<number | bigint | null | undefined>();
});

test("the type of a known transaction narrows it", () => {
  const transaction = {} as Transaction;
  if (!isKnownTransaction(transaction)) return;
  if (transaction.type === "poc_receipts_v1")
    expectTypeOf(transaction).toEqualTypeOf<PocReceipts>();
  // @ts-expect-error only requests have a location
  else void transaction.path;
});

test("a caller's schema types the result", () => {
  const schema = z.object({ color: z.string() });
  expectTypeOf(client.accounts.get({ address }, { schema })).resolves.toEqualTypeOf<{
    color: string;
  }>();
  expectTypeOf(client.accounts.list({}, { schema })).toEqualTypeOf<Pager<{ color: string }>>();
  expectTypeOf(client.vars.get({ name: "a" })).resolves.toEqualTypeOf<unknown>();
});

test("mistakes do not compile", () => {
  // @ts-expect-error a typo
  void client.accounts.get({ adress: address });
  // @ts-expect-error an invalid bucket
  void client.accounts.rewardsSum({ address, min_time: "now", max_time: "now", bucket: "month" });
  // @ts-expect-error without a limit
  void client.blocks.list().toArray();
  // @ts-expect-error two pages ahead
  void client.blocks.list({}, { prefetch: 2 });
  const block = {} as Block;
  // @ts-expect-error a misspelled field
  void block.heigth;
});

test("only lists with times have parallel lanes", () => {
  const rewards = client.accounts.rewards({ address });
  const walk = rewards.parallel({ lanes: 8, order: "list" });
  expectTypeOf(walk).toEqualTypeOf<ParallelWalk<Reward>>();
  expectTypeOf(walk.next()).resolves.toEqualTypeOf<IteratorResult<Reward, undefined>>();
  expectTypeOf(walk.checkpoint()).toEqualTypeOf<ParallelCheckpoint>();
  void client.accounts.activity({ address }).parallel({ by: { min: "min_time", max: "max_time" } });
  // @ts-expect-error blocks have no times that split the list
  void client.blocks.list().parallel;
  // @ts-expect-error a checkpoint of a plain walk has another type
  void rewards.parallel({ checkpoint: rewards.walk().checkpoint() });
});
