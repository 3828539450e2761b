import type { FetchFunction } from "@fieldmesh/http/internal";

/** A reward in its wire form. */
export interface WireReward {
  readonly block: number;
  readonly hash: string;
  readonly timestamp: string;
  readonly amount: number;
}

/** A ledger of rewards behind a `fetch` that records the requests. */
export interface RewardsServer {
  readonly fetch: FetchFunction;
  /** All rewards, newest first. */
  readonly rewards: readonly WireReward[];
  /** The query of each request, in order of arrival. */
  readonly queries: URLSearchParams[];
  /** The most requests that were in progress at once. */
  readonly mostAtOnce: number;
}

export const MINUTE = 60_000;
export const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
/** The time at which the first block begins. */
export const start = Date.parse("2026-11-01T00:00:00Z");
export const times = { min_time: new Date(start), max_time: "2026-11-20T00:00:00Z" };

/** Returns the times of a number of blocks. */
export function atMinutes(count: number, step = 1): number[] {
  return Array.from({ length: count }, (_, index) => start + index * step * MINUTE);
}

/**
 * Serves the rewards of blocks. It omits the block that contains `max_time`: the last one that begins at that time or before.
 * Times are rounded down to the minute. A cursor contains an offset in the list of its query.
 */
export function serveRewards({
  blocks,
  rewardsOfBlock = 1,
  pageSize = 3,
  repeats = 0,
  fault = () => undefined,
  order = "newest",
  latency = () => 0,
}: {
  /** The time of each block, oldest first. */
  readonly blocks: readonly number[];
  readonly rewardsOfBlock?: number;
  readonly pageSize?: number;
  /** How many of the rows that ended a page the next one begins with. */
  readonly repeats?: number;
  /** Replaces a response. */
  readonly fault?: (query: URLSearchParams) => Response | undefined;
  readonly order?: "newest" | "oldest";
  readonly latency?: () => number;
}): RewardsServer {
  const queries: URLSearchParams[] = [];
  const rewards = blocks
    .flatMap((time, block) =>
      Array.from({ length: rewardsOfBlock }, (_, number) => ({
        block,
        hash: `hash-${block}-${number}`,
        timestamp: new Date(time).toISOString(),
        amount: number,
      })),
    )
    .toReversed();
  const listOf = (query: URLSearchParams): WireReward[] => {
    const timeOf = (name: string): number =>
      Math.floor(Date.parse(query.get(name) ?? "") / MINUTE) * MINUTE;
    const [min, max] = [timeOf("min_time"), timeOf("max_time")];
    const last = blocks.findLastIndex((time) => time <= max);
    const list = rewards.filter(({ block }) => block < last && (blocks[block] ?? 0) >= min);
    return order === "newest" ? list : list.toReversed();
  };
  const server = { rewards, queries, mostAtOnce: 0, fetch: undefined as unknown as FetchFunction };
  let atOnce = 0;
  server.fetch = async (url) => {
    const query = new URL(url).searchParams;
    queries.push(query);
    server.mostAtOnce = Math.max(server.mostAtOnce, ++atOnce);
    // Responses arrive in another order than their requests.
    for (let turns = latency(); turns > 0; turns--) await Promise.resolve();
    atOnce--;
    const failed = fault(query);
    if (failed !== undefined) return failed;
    const list = listOf(query);
    const from = Number(query.get("cursor")?.slice(1) ?? 0);
    const end = from + pageSize;
    return Response.json({
      data: list.slice(Math.max(0, from - repeats), end),
      ...(end < list.length && { cursor: `c${end}` }),
    });
  };
  return server;
}
