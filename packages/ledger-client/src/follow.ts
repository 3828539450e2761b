import { ENDED, signalOf, systemClock, type Clock } from "@fieldmesh/core/internal";
import {
  checkCallOptionNames,
  checkCount,
  CursorExpiredError,
  InputError,
  isApiError,
  outlast,
  STATUS,
  type CallOptions,
} from "@fieldmesh/http/internal";
import { inTurn } from "@fieldmesh/http/internal/pager";
import type { BlockList, createBacklog } from "./backlog.ts";
import type { Block } from "./block.ts";
import { heightInput } from "./fields.ts";

/** Options of `blocks.follow`. */
export interface FollowOptions extends Omit<CallOptions, "signal"> {
  /** Ends the follower like `break`: the loop ends without an error, even during a wait or a request. */
  signal?: AbortSignal | undefined;
  /** The height of the first block. If the block does not exist yet, the follower waits for it. */
  from: number;
  /** The shortest wait between two requests for the height, in milliseconds. @default 1_000 */
  minWait?: number | undefined;
  /** The longest wait between two requests for the height, in milliseconds. @default 60_000 */
  maxWait?: number | undefined;
  /**
   * For how many milliseconds to retry a block while the service is unreachable, too slow, or responds with 408, 429 or 5xx.
   * `3_600_000` outlasts an outage of an hour. `Infinity` retries until the signal aborts.
   *
   * @default 0 - the failure is thrown, and the next `next()` retries
   */
  keepTrying?: number | undefined;
  /** The clock for times and waits. @default the clock of the machine */
  clock?: Clock | undefined;
}

/** Follows the chain. After a failure, `next()` retries the same block. */
export interface BlockFollower {
  next(): Promise<IteratorResult<Block, undefined>>;
  return(): Promise<IteratorResult<Block, undefined>>;
  [Symbol.asyncIterator](): BlockFollower;
}

/** The rows that a follower calls. */
interface BlockRows {
  height(input: object, options: CallOptions): Promise<{ height: number }>;
  list: BlockList;
  get(input: { height: number }, options: CallOptions): Promise<Block>;
}

const FACTS = { call: "blocks.follow", route: "GET /v1/blocks/height" };

const OWN_OPTIONS: readonly (keyof FollowOptions)[] = [
  "from",
  "minWait",
  "maxWait",
  "keepTrying",
  "clock",
];

// A page of the list has up to a hundred blocks (observed).
const PAGE_SIZE = 100;
// With four requests per block, the follower sees a new block soon after it appears.
const REQUESTS_PER_BLOCK = 4;
const SECOND = 1_000;

/** Creates a follower. It sends nothing before the first `next()`. */
export function follow(rows: BlockRows, options: FollowOptions): BlockFollower {
  checkCallOptionNames(FACTS.call, options, OWN_OPTIONS);
  const { from, clock = systemClock, signal, ...rest } = options;
  const { minWait = 1_000, maxWait = 60_000, keepTrying = 0, ...limits } = rest;
  const closing = new AbortController();
  const call = {
    ...limits,
    signal:
      signal === undefined ? closing.signal : AbortSignal.any([signalOf(signal), closing.signal]),
  };
  let backlog: ReturnType<typeof createBacklog> | undefined;
  let nextHeight = from;
  let height = -1;
  /** After a gap in the list, the follower reads up to a page of blocks one by one before it reads the list again. */
  let listFrom = from;
  let ready: Block[] = [];
  /** The last block, and the seconds between it and the previous block. */
  let newest: Block | undefined;
  let interval = 0;
  const { next } = inTurn(follow, step);

  async function step(): Promise<IteratorResult<Block, undefined>> {
    if (!heightInput.safeParse(from).success)
      throw new InputError(FACTS, [
        { path: "from", message: "must be a block height: a whole number from 0 up" },
      ]);
    for (const [name, value] of Object.entries({ minWait, maxWait, keepTrying }))
      checkCount(FACTS, name, value);
    try {
      while (!call.signal.aborted) {
        const block = ready.shift();
        if (block !== undefined) {
          nextHeight++;
          if (newest !== undefined) interval = block.time - newest.time;
          newest = block;
          return { done: false, value: block };
        }
        ready = await outlast(readMore, { keepTrying, signal: call.signal, clock });
        const wait = (interval * SECOND) / REQUESTS_PER_BLOCK;
        if (ready.length === 0)
          await clock.sleep(Math.max(minWait, Math.min(maxWait, wait)), call.signal);
      }
    } catch (error) {
      // `break` and the signal end the loop without an error. A request that they aborted did not fail.
      if (!call.signal.aborted) throw error;
    }
    return { done: true, value: undefined };
  }

  /** Reads blocks from the next height on, in order. Returns none if that block does not exist yet. */
  async function readMore(): Promise<Block[]> {
    if (nextHeight > height) ({ height } = await rows.height({}, call));
    const missing = height - nextHeight + 1;
    if (missing <= 0) return [];
    if (nextHeight >= listFrom) {
      backlog ??= (await import("./backlog.ts")).createBacklog(rows.list, call, hasExpired);
      const blocks = await backlog.read(nextHeight);
      if (blocks.length > 0) return blocks;
      listFrom = nextHeight + Math.min(missing, PAGE_SIZE);
    }
    // A deprecated endpoint, but the only one that returns a block by its height.
    return [await rows.get({ height: nextHeight }, call)];
  }

  return {
    next,
    return() {
      closing.abort(ENDED);
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Tells whether a cursor has expired. */
export function hasExpired(error: unknown, cursor: string | undefined): boolean {
  // Without a cursor, a 400 rejects the list itself.
  const isRejected = cursor !== undefined && isApiError(error, STATUS.badRequest);
  return isRejected || error instanceof CursorExpiredError;
}
