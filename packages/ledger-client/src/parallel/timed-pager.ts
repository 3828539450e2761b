import {
  bind,
  type As,
  type Endpoint,
  type Methods,
  type Open,
  type PageResult,
  type Pager,
  type PagerOptions,
  type Table,
  type Transport,
  type WalkIterator,
} from "@fieldmesh/http/internal";
import { createPager, type PagerCall } from "@fieldmesh/http/internal/pager";
import type { ParallelCheckpoint } from "./checkpoint.ts";
import type { ParallelOptions } from "./options.ts";
import { splitList } from "./split-list.ts";
import { walkInParallel } from "./walk-in-parallel.ts";

/** A list that can be split by time, so that its parts are read at the same time. */
export interface TimedPager<T> extends Pager<T> {
  /**
   * Starts a walk that reads several parts of the list at the same time: `lanes` requests in parallel, within the rate limit of
   * the client. The first time is required. Without a last time, the list ends at the current time. Relative times are resolved
   * once, by the clock of this machine.
   *
   * A lane that finishes takes over half of the longest remaining part. Each item is returned exactly once, however the service
   * treats the border between two parts. The newest item must come first (observed). A list in another order, or without times in
   * its records, is read in one lane. If the list changes during the walk, so that a part does not end where the next one begins,
   * the walk throws a {@link PlaceLostError}.
   *
   * @throws An InputError for a query without times, for invalid options, and in combination with `checkpoint`, `maxPages` or a
   * `cursor` of the call
   * @example
   * ```ts
   * const rewards = client.accounts.rewards({ address, min_time: ago(4, "week") });
   * for await (const reward of rewards.parallel({ lanes: 8 })) console.log(reward.block, reward.amount);
   * ```
   */
  parallel(options?: ParallelOptions): ParallelWalk<T>;
}

/** A walk through a list in parallel lanes. */
export interface ParallelWalk<T> extends WalkIterator<T, ParallelCheckpoint> {}

/** The methods of a table. Those of lists with times return a {@link TimedPager}. */
export type TimedMethods<Rows> = {
  [K in keyof Rows]: Rows[K] extends Endpoint<infer I, infer O, infer Trait>
    ? "timed" extends Trait
      ? <T = O>(input: I, options?: Open<PagerOptions, T>) => TimedPager<As<O, T>>
      : Methods<Rows>[K]
    : never;
};

/** Creates the methods of a table whose lists with times can be walked in parallel lanes. */
export function bindTimed<T extends Table>(
  resource: string,
  table: T,
  transport: Transport,
): TimedMethods<T> {
  // The type declares what `createTimedPager` adds to the pagers.
  return bind<Table>(resource, table, transport, createTimedPager) as TimedMethods<T>;
}

function createTimedPager<T>(call: PagerCall): Pager<T> {
  const pager = createPager<T>(call, createTimedPager);
  const { parts } = call.endpoint.row.result as PageResult;
  if (parts === undefined) return pager;
  const timed: TimedPager<T> = {
    ...pager,
    parallel: (options) => walkInParallel(splitList<T>(call), parts, options),
  };
  return timed;
}
