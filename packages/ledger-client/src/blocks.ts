import * as z from "@fieldmesh/core/internal/zod";
import { data, endpoint, page, type Methods } from "@fieldmesh/http/internal";
import { Block, BlockHeight, BlockStats } from "./block.ts";
import { cursor, hashInput, heightInput, pagedErrors } from "./fields.ts";
import type { BlockFollower, FollowOptions } from "./follow.ts";
import { timeInput } from "./time.ts";
import { Transaction } from "./transaction.ts";

const notFound = { 404: "Block not found" };
const atHeight = {
  /** The height of the block: a whole number from 0 up. */
  height: heightInput,
};
const ofHash = {
  /** The hash of the block. */
  hash: hashInput,
};

/** The endpoints of blocks, one row for each. The client makes the methods of `client.blocks` from them. */
export const blocks = {
  /**
   * Get the height of the chain. With `max_time`, get the highest height that was valid before that time (not at that time).
   *
   * @throws An {@link ApiError} with 400: The time was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const { height } = await client.blocks.height({ max_time: "-1 day" });
   * ```
   */
  height: endpoint("GET /v1/blocks/height", {
    query: {
      /**
       * The time before which the height was valid: a Date, an ISO 8601 string or a relative time (see {@link ago}). If omitted,
       * the current height is returned.
       */
      max_time: z.optional(timeInput),
    },
    result: data(BlockHeight),
    errors: { 400: "The time was not accepted" },
  }),

  /**
   * Get the statistics of block production times for the last hour, day, week and month.
   *
   * @throws A {@link CallError} if the call fails
   * @example
   * ```ts
   * const { last_day } = await client.blocks.stats();
   * console.log(last_day.avg, last_day.stddev);
   * ```
   */
  stats: endpoint("GET /v1/blocks/stats", {
    result: data(BlockStats),
  }),

  /**
   * List the blocks, newest first (observed).
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const block of client.blocks.list().take(200)) console.log(block.height, block.hash);
   * ```
   */
  list: endpoint("GET /v1/blocks", {
    query: cursor,
    result: page(Block, { key: ["hash"] }),
    errors: pagedErrors,
  }),

  /**
   * List the transactions of the block at a height.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws An {@link ApiError} with 404: Block not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const transaction of client.blocks.transactions({ height })) console.log(transaction.type);
   * ```
   */
  transactions: endpoint("GET /v1/blocks/:height/transactions", {
    path: atHeight,
    query: cursor,
    result: page(Transaction, { key: ["hash"] }),
    errors: { ...pagedErrors, ...notFound },
  }),

  /**
   * Get a block by its hash.
   *
   * @throws An {@link ApiError} with 404: Block not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const block = await client.blocks.getByHash({ hash });
   * ```
   */
  getByHash: endpoint("GET /v1/blocks/hash/:hash", {
    path: ofHash,
    result: data(Block),
    errors: notFound,
  }),

  /**
   * List the transactions of a block by its hash.
   *
   * @throws An {@link ApiError} with 400: The request was not accepted; if it carried a cursor, the cursor may have expired
   * (observed)
   * @throws An {@link ApiError} with 404: Block not found (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * for await (const transaction of client.blocks.transactionsByHash({ hash })) console.log(transaction.type);
   * ```
   */
  transactionsByHash: endpoint("GET /v1/blocks/hash/:hash/transactions", {
    path: ofHash,
    query: cursor,
    result: page(Transaction, { key: ["hash"] }),
    errors: { ...pagedErrors, ...notFound },
  }),

  /**
   * Get the block at a height.
   *
   * @throws An {@link ApiError} with 404: Block not found (observed)
   * @throws A {@link CallError} for every other failure
   * @deprecated The published spec marks it as deprecated and names no replacement. The client calls it like any other, and it
   * may disappear.
   * @example
   * ```ts
   * const block = await client.blocks.get({ height });
   * ```
   */
  get: endpoint("GET /v1/blocks/:height", {
    path: atHeight,
    result: data(Block),
    errors: notFound,
  }),
};

/** Blocks and their transactions. */
export interface Blocks extends Methods<typeof blocks> {
  /**
   * Follow the chain: every block from a height on, in order, without gaps or repeats, and new blocks as they appear. Only
   * `break`, `return()` or the signal ends it, each without an error.
   *
   * It polls about four times per block, and reads blocks from the list, which begins with the newest block (observed). It reads
   * a block that is missing in the list by its height, through an endpoint that the published spec marks as deprecated. After a
   * failure, the iterator keeps its place: call `next()` again, or start another one with `from: last.height + 1`, in this
   * process or another.
   *
   * @throws A {@link CallError} from `next()`, if one of its requests fails
   * @example
   * ```ts
   * const { height } = await client.blocks.height();
   * for await (const block of client.blocks.follow({ from: height - 2 })) {
   *   console.log(block.height);
   *   if (block.height === height) break;
   * }
   * ```
   */
  follow(options: FollowOptions): BlockFollower;
}
