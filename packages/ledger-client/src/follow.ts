import {
  InputError,
  isApiError,
  CursorExpiredError,
  STATUS,
  type CallOptions,
} from "@fieldmesh/http/internal";
import {
  createFollower,
  type Follower,
  type FollowerOptions,
} from "@fieldmesh/http/internal/pager";
import type { BlockList, createBacklog } from "./backlog.ts";
import type { Block } from "./block.ts";
import { heightInput } from "./fields.ts";

/** Options of `blocks.follow`. */
export interface FollowOptions extends FollowerOptions {
  /** The height of the first block. If the block does not exist yet, the follower waits for it. */
  from: number;
}

/** Follows the chain. After a failure, `next()` retries the same block. */
export interface BlockFollower extends Follower<Block> {
  [Symbol.asyncIterator](): BlockFollower;
}

/** The rows that a follower calls. */
interface BlockRows {
  height(input: object, options: CallOptions): Promise<{ height: number }>;
  list: BlockList;
  get(input: { height: number }, options: CallOptions): Promise<Block>;
}

const FACTS = { call: "blocks.follow", route: "GET /v1/blocks/height" };

// A page of the list has up to a hundred blocks (observed).
const PAGE_SIZE = 100;
// With four requests per block, the follower sees a new block soon after it appears.
const REQUESTS_PER_BLOCK = 4;
const SECOND = 1_000;

/** Creates a follower. It sends nothing before the first `next()`. */
export function follow(rows: BlockRows, options: FollowOptions): BlockFollower {
  return createFollower(follow, FACTS, options, ["from"], (call) => {
    const { from } = options;
    let backlog: ReturnType<typeof createBacklog> | undefined;
    let nextHeight = from;
    let height = -1;
    /** After a gap in the list, the follower reads up to a page of blocks one by one before it reads the list again. */
    let listFrom = from;
    let ready: Block[] = [];
    /** The last block, and the seconds between it and the previous block. */
    let newest: Block | undefined;
    let interval = 0;

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
      check() {
        if (!heightInput.safeParse(from).success)
          throw new InputError(FACTS, [
            { path: "from", message: "must be a block height: a whole number from 0 up" },
          ]);
      },
      take() {
        const block = ready.shift();
        if (block === undefined) return undefined;
        nextHeight++;
        if (newest !== undefined) interval = block.time - newest.time;
        return (newest = block);
      },
      async read() {
        ready = await readMore();
        return ready.length > 0;
      },
      wait: () => (interval * SECOND) / REQUESTS_PER_BLOCK,
    };
  });
}

/** Tells whether a cursor has expired. */
export function hasExpired(error: unknown, cursor: string | undefined): boolean {
  // Without a cursor, a 400 rejects the list itself.
  const isRejected = cursor !== undefined && isApiError(error, STATUS.badRequest);
  return isRejected || error instanceof CursorExpiredError;
}
