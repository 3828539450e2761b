import { systemClock, type Clock } from "@fieldmesh/core";
import { AbortError, InputError, type CallOptions } from "@fieldmesh/http";
import { createBacklog, type BlockList } from "./backlog.ts";
import type { Block } from "./block.ts";
import { heightInput } from "./fields.ts";
import { createPace } from "./pace.ts";

/** Options of `blocks.follow`. */
export interface FollowOptions extends Pick<
  CallOptions,
  "signal" | "timeout" | "totalTimeout" | "headers"
> {
  /** The height of the first block that is given. One that does not exist yet is waited for. */
  from: number;
  /** Milliseconds between two questions for the height, at least. @default 1_000 */
  minWait?: number | undefined;
  /** Milliseconds between two questions for the height, at most. @default 60_000 */
  maxWait?: number | undefined;
  /** What tells the time and waits. @default the machine's clock */
  clock?: Clock | undefined;
}

/** Follows the chain. Like every iterator here it survives a failure: `next()` after one tries the same again. */
export interface BlockFollower {
  next(): Promise<IteratorResult<Block, undefined>>;
  return(): Promise<IteratorResult<Block, undefined>>;
  [Symbol.asyncIterator](): BlockFollower;
}

/** The rows that following needs. */
interface BlockRows {
  height(input: object, options: CallOptions): Promise<{ height: number }>;
  list: BlockList;
  get(input: { height: number }, options: CallOptions): Promise<Block>;
}

const FACTS = { call: "blocks.follow", route: "GET /v1/blocks/height" };

// So few blocks are asked for one by one; more come in pages, which hold up to a hundred.
const FEW = 3;
const A_PAGE = 100;

/** Starts to follow; nothing is sent before the first `next()`. */
export function follow(rows: BlockRows, options: FollowOptions): BlockFollower {
  const { from, clock = systemClock, minWait, maxWait, signal, ...limits } = options;
  const closing = new AbortController();
  const call = {
    ...limits,
    signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
  };
  const pace = createPace({ minWait, maxWait });
  const backlog = createBacklog(rows.list, call);
  let nextHeight = from;
  let height = -1;
  /** Where the list led nowhere, a page's worth of blocks is read one by one before it is asked again. */
  let listFrom = from;
  let ready: Block[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function step(): Promise<IteratorResult<Block, undefined>> {
    if (!heightInput.safeParse(from).success)
      throw new InputError(FACTS, [{ path: "from", message: "must be a height" }]);
    try {
      while (!closing.signal.aborted) {
        const block = ready.shift();
        if (block !== undefined) {
          nextHeight++;
          pace.saw(block.time);
          return { done: false, value: block };
        }
        ready = await readMore();
        if (ready.length === 0) await clock.sleep(pace.wait(), call.signal);
      }
    } catch (error) {
      if (signal?.aborted === true)
        throw new AbortError({ ...FACTS, outcome: "not_sent", attempts: [] }, signal.reason);
      if (!closing.signal.aborted) throw error;
    }
    return { done: true, value: undefined };
  }

  /** Reads blocks from the next height on, in order; none where the chain has not come so far. */
  async function readMore(): Promise<Block[]> {
    if (nextHeight > height) ({ height } = await rows.height({}, call));
    const missing = height - nextHeight + 1;
    if (missing <= 0) return [];
    if (missing > FEW && nextHeight >= listFrom) {
      const blocks = await backlog.read(nextHeight);
      if (blocks.length > 0) return blocks;
      listFrom = nextHeight + A_PAGE;
    }
    return [await rows.get({ height: nextHeight }, call)];
  }

  return {
    next() {
      const run = last.then(step);
      last = run.catch(() => undefined);
      return run;
    },
    return() {
      closing.abort();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
