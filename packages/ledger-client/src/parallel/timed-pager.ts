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
  type PartsByTime,
} from "@fieldmesh/http/internal";
import {
  createPager,
  type PagerCall,
  createSource,
  readWalkSettings,
  startWalk,
  iterate,
} from "@fieldmesh/http/internal/pager";
import type { ParallelCheckpoint } from "./checkpoint.ts";
import type { ParallelOptions } from "./options.ts";
import { type SplitList, readPlan, type Plan } from "./plan.ts";
import { withChecksum, readInput } from "@fieldmesh/core/internal";
import type { Run } from "./run.ts";

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

/** Creates what a walk in parallel needs from a call: its query, and walks of the same list between other times. */
function splitList<T>(call: PagerCall): SplitList<T> {
  const { endpoint, input, options = {} } = call;
  const source = createSource<T>(call);
  const settings = readWalkSettings(source.context, options);
  return {
    ...source,
    settings,
    open(times, place) {
      const { query } = options;
      const inInput = Object.entries(times).filter(([name]) => name in endpoint.row.query);
      const inQuery = Object.entries(times).filter(([name]) => !(name in endpoint.row.query));
      const part = createSource<T>(
        {
          ...call,
          input: { ...input, ...Object.fromEntries(inInput) },
          options: { ...options, query: { ...query, ...Object.fromEntries(inQuery) } },
        },
        source.context,
      );
      const identity = part.identify();
      return startWalk(
        part,
        identity,
        { ...settings, checkpoint: undefined, maxItems: Infinity, prefetch: 0 },
        place,
      );
    },
  };
}

/** Starts a walk in parallel lanes. It loads the lanes, and sends the first request, with the first `next()`. */
function walkInParallel<T>(
  list: SplitList<T>,
  parts: PartsByTime,
  options: ParallelOptions = {},
): WalkIterator<T, ParallelCheckpoint> {
  return readInput(`The argument of ${list.context.call}.parallel`, () => {
    const walk = createWalk(readPlan(list, parts, options));
    return iterate(walkInParallel, list, () => walk, walk);
  });
}

function createWalk<T>(plan: Plan<T>) {
  let run: Run<T> | undefined;
  let isClosed = false;
  return {
    takeNow: () => run?.take(),
    async readMore(): Promise<boolean> {
      if (run === undefined) {
        const { createRun } = await import("./run.ts");
        if (isClosed) return false;
        run = createRun(plan);
      }
      return await run.readMore();
    },
    checkpoint(): ParallelCheckpoint {
      const { identity, range } = plan;
      const { given, parts } = run?.place() ?? { given: 0, parts: plan.parts };
      const place = {
        range: { min: range.min, max: range.max },
        items: plan.given + given,
        parts,
      };
      return withChecksum({ version: 1, kind: "parallel", ...identity, ...place } as const);
    },
    repeated: () => run?.repeated() ?? 0,
    close(): void {
      isClosed = true;
      run?.close();
    },
  };
}
