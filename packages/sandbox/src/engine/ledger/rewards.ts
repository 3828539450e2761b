import { rewardRecord } from "./account-records.ts";
import { BLOCKS_A_REWARD, earningCount, earningHotspots, rewardAmount } from "./transactions.ts";
import type { LedgerState } from "./ledger-state.ts";
import type { List } from "./paging.ts";
import { timeReaders } from "./times.ts";

/** A timeframe in heights, from its first to its last block. */
export interface Timeframe {
  readonly first: number;
  readonly last: number;
}

interface Times {
  readonly min_time?: string | undefined;
  readonly max_time?: string | undefined;
}

const SECOND = 1_000;
const BONES_PER_TOKEN = 100_000_000;

/** Reads the bounds of a timeframe. Returns `undefined` if a time is invalid, or if the deployment requires one of them. */
export function readTimeframe(state: LedgerState, times: Times): Timeframe | undefined {
  const isEmpty = times.min_time === undefined && times.max_time === undefined;
  if (isEmpty && state.times === "observed") return undefined;
  const bounds = readBounds(state, times);
  if (bounds === undefined) return undefined;
  const { chain } = state;
  const first = chain.heightBefore(bounds.start) + 1;
  // The timeframe does not include the block that contains max_time, or blocks of the future.
  return {
    first: Math.max(1, first),
    last: Math.min(chain.heightAt(bounds.end) - 1, state.height),
  };
}

/** An omitted time is now. A relative `min_time` counts back from `max_time` (observed). */
function readBounds(
  { clock, times }: LedgerState,
  { min_time = "now", max_time = "now" }: Times,
): { start: number; end: number } | undefined {
  const readTime = timeReaders[times];
  const end = readTime(max_time, clock.now());
  const start = end === undefined ? undefined : readTime(min_time, end);
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** What running deployments send in addition to a sum: the times as they understood them, and the bucket. */
export function metaOf(
  state: LedgerState,
  { bucket, ...times }: Times & { readonly bucket?: string | undefined },
) {
  const { start, end } = readBounds(state, times) ?? {};
  const write = (time = state.clock.now()): string => new Date(time).toISOString();
  return { min_time: write(start), max_time: write(end), ...(bucket !== undefined && { bucket }) };
}

/** Returns the rewards of an account in a timeframe, newest first. */
export function rewardsIn(
  state: LedgerState,
  account: number | undefined,
  { first, last }: Timeframe,
): List<ReturnType<typeof rewardRecord>> {
  const top = Math.floor(last / BLOCKS_A_REWARD);
  const rounds = Math.max(0, top - Math.ceil(first / BLOCKS_A_REWARD) + 1);
  const count = earningCount(state);
  const hasNone = account === undefined || state.hotspots === 0;
  return {
    length: hasNone ? 0 : rounds * count,
    item: (index) => {
      const height = (top - Math.floor(index / count)) * BLOCKS_A_REWARD;
      const number = earningHotspots(state, height)[index % count] ?? 0;
      return rewardRecord(state, account ?? 0, number, height);
    },
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
  const amountsIn = (range: Timeframe): Amounts =>
    account === undefined ? new Map() : amountsOf(state, account, range);
  if (bucket === undefined) return sumOf(allOf(amountsIn(timeframe)));
  const { chain, buckets } = state;
  const sums = [];
  for (let last = timeframe.last; last >= timeframe.first;) {
    const end = chain.timeOf(last) * SECOND;
    const start = Math.floor(end / BUCKETS[bucket]) * BUCKETS[bucket];
    const first = Math.max(timeframe.first, chain.heightBefore(start) + 1);
    const timestamp = new Date(start).toISOString();
    const amounts = amountsIn({ first, last });
    if (buckets === "time") sums.push({ ...sumOf(allOf(amounts)), timestamp });
    else
      for (const [number, own] of amounts)
        sums.push({ ...sumOf(own), gateway: gatewayOf(state, account, number), timestamp });
    last = Math.min(first, last) - 1;
  }
  return sums;
}

function gatewayOf({ chain, hotspots }: LedgerState, account = 0, number: number): string {
  return chain.gateways.of(account * hotspots + number);
}

/** What hotspots have earned in a timeframe, by their number. */
type Amounts = ReadonlyMap<number, readonly number[]>;

function allOf(amounts: Amounts): number[] {
  return [...amounts.values()].flat();
}

function sumOf(amounts: readonly number[]) {
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

function amountsOf(state: LedgerState, account: number, { first, last }: Timeframe): Amounts {
  const amounts = new Map<number, number[]>();
  if (state.hotspots === 0) return amounts;
  const top = Math.floor(last / BLOCKS_A_REWARD) * BLOCKS_A_REWARD;
  for (let height = top; height >= first; height -= BLOCKS_A_REWARD) {
    for (const number of earningHotspots(state, height)) {
      const own = amounts.get(number) ?? [];
      own.push(rewardAmount(account, number, height));
      amounts.set(number, own);
    }
  }
  return amounts;
}
