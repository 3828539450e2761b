import { rewardRecord } from "./account-records.ts";
import { BLOCKS_A_REWARD, rewardAmount } from "./transactions.ts";
import type { LedgerState } from "./ledger-state.ts";
import type { List } from "./paging.ts";
import { readTime } from "./times.ts";

/** A timeframe in heights, from its first to its last block. */
export interface Timeframe {
  readonly first: number;
  readonly last: number;
}

const SECOND = 1_000;
const BONES_PER_TOKEN = 100_000_000;

/** Reads the bounds of a timeframe. Returns `undefined` if a time is invalid or both are missing. */
export function readTimeframe(
  state: LedgerState,
  { min_time, max_time }: { min_time?: string | undefined; max_time?: string | undefined },
): Timeframe | undefined {
  const now = state.clock.now();
  if (min_time === undefined && max_time === undefined) return undefined;
  const end = readTime(max_time ?? "now", now);
  const start = end === undefined ? undefined : readTime(min_time ?? "now", end);
  if (start === undefined || end === undefined) return undefined;
  const { chain } = state;
  const first = chain.heightAt(start - 1) + 1;
  // The timeframe does not include the block that contains max_time, or blocks of the future.
  return { first: Math.max(1, first), last: Math.min(chain.heightAt(end) - 1, state.height) };
}

/** What running deployments send in addition to a sum: the times as they understood them, and the bucket. */
export function metaOf(
  { clock }: LedgerState,
  {
    min_time,
    max_time,
    bucket,
  }: { min_time: string; max_time: string; bucket?: string | undefined },
) {
  const end = readTime(max_time, clock.now()) ?? clock.now();
  const start = readTime(min_time, end) ?? end;
  const write = (time: number): string => new Date(time).toISOString();
  return {
    min_time: write(start),
    max_time: write(end),
    ...(bucket !== undefined && { bucket }),
  };
}

/** Returns the rewards of an account in a timeframe, newest first. */
export function rewardsIn(
  state: LedgerState,
  account: number | undefined,
  { first, last }: Timeframe,
): List<ReturnType<typeof rewardRecord>> {
  const top = Math.floor(last / BLOCKS_A_REWARD);
  const rounds = Math.max(0, top - Math.ceil(first / BLOCKS_A_REWARD) + 1);
  return {
    length: account === undefined ? 0 : rounds * state.hotspots,
    item: (index) =>
      rewardRecord(
        state,
        account ?? 0,
        index % state.hotspots,
        (top - Math.floor(index / state.hotspots)) * BLOCKS_A_REWARD,
      ),
  };
}

const BUCKETS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/** Returns the sum of a timeframe, or the sums of its buckets, newest first. */
export function sumRewards(
  state: LedgerState,
  account: number | undefined,
  timeframe: Timeframe,
  bucket: keyof typeof BUCKETS | undefined,
) {
  if (bucket === undefined) return sumOf(state, account, timeframe);
  const { chain } = state;
  const sums = [];
  for (let last = timeframe.last; last >= timeframe.first;) {
    const end = chain.timeOf(last) * SECOND;
    const start = Math.floor(end / BUCKETS[bucket]) * BUCKETS[bucket];
    const first = Math.max(timeframe.first, chain.heightAt(start - 1) + 1);
    const timestamp = new Date(start).toISOString();
    sums.push({ ...sumOf(state, account, { first, last }), timestamp });
    last = Math.min(first, last) - 1;
  }
  return sums;
}

function sumOf(state: LedgerState, account: number | undefined, { first, last }: Timeframe) {
  const amounts = account === undefined ? [] : amountsOf(state, account, { first, last });
  const sum = amounts.reduce((total, amount) => total + BigInt(amount), 0n);
  const tokens = amounts.map((amount) => amount / BONES_PER_TOKEN).sort((a, b) => a - b);
  const total = Number(sum) / BONES_PER_TOKEN;
  return {
    sum,
    total,
    min: tokens[0] ?? 0,
    max: tokens.at(-1) ?? 0,
    avg: tokens.length === 0 ? 0 : total / tokens.length,
    median: tokens[Math.floor(tokens.length / 2)] ?? 0,
    stddev: 0,
  };
}

function amountsOf(state: LedgerState, account: number, { first, last }: Timeframe): number[] {
  const amounts: number[] = [];
  const top = Math.floor(last / BLOCKS_A_REWARD) * BLOCKS_A_REWARD;
  for (let height = top; height >= first; height -= BLOCKS_A_REWARD) {
    for (let number = 0; number < state.hotspots; number++)
      amounts.push(rewardAmount(account, number, height));
  }
  return amounts;
}
