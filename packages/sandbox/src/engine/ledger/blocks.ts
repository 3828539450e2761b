import type { Call } from "../serve/call.ts";
import type { BlockRecord } from "./chain.ts";
import { readCursor, writeCursor, respondWithPage, type WirePage } from "./paging.ts";
import type { LedgerState } from "./ledger-state.ts";
import { ledgerError } from "./errors.ts";
import type { LedgerResource } from "./resource.ts";
import { timeReaders } from "./times.ts";
import { transactionAt } from "./transactions.ts";

const SECOND = 1_000;
const BLOCKS_A_PAGE = 100;
const TRANSACTIONS_A_PAGE = 50;

/** Blocks, of which none has to exist before it is asked for. */
export const blocks: LedgerResource<"blocks"> = (state) => ({
  height: ({ max_time }) => {
    const now = state.clock.now();
    const isFull = state.records === "full";
    if (max_time === undefined)
      return { data: { height: state.height }, ...(isFull && { meta: {} }) };
    const time = timeReaders[state.times](max_time, now);
    if (time === undefined) return ledgerError(400);
    const height = Math.min(state.height, state.chain.heightBefore(time));
    const meta = { max_time: new Date(time).toISOString() };
    return { data: { height }, ...(isFull && { meta }) };
  },
  stats: () => {
    const spans = { avg: 60.02, stddev: 0.4 };
    return { data: { last_hour: spans, last_day: spans, last_week: spans, last_month: spans } };
  },
  list: (_, call) => listBlocks(state, call),
  get: ({ height }) => blockAt(state, height),
  getByHash: ({ hash }) => blockAt(state, state.chain.heightOf(hash)),
  transactions: ({ height }, call) => listTransactions(state, call, height),
  transactionsByHash: ({ hash }, call) =>
    listTransactions(state, call, state.chain.heightOf(hash) ?? 0),
});

function blockAt(state: LedgerState, height = 0): { data: BlockRecord } | Response {
  return exists(state, height) ? { data: state.chain.block(height) } : ledgerError(404);
}

function exists(state: LedgerState, height: number): boolean {
  return height >= 1 && height <= state.height;
}

/** Newest first. The first page ends at a multiple of a hundred, and so may be empty. */
function listBlocks(state: LedgerState, call: Call): WirePage<BlockRecord> | Response {
  const cursor = call.input["cursor"] as string | undefined;
  const start = { at: state.height, filters: {} };
  const content = cursor === undefined ? start : readCursor(state, "blocks.list", cursor);
  if (content instanceof Response) return content;
  const { at } = content;
  const size = cursor === undefined ? at % BLOCKS_A_PAGE : BLOCKS_A_PAGE;
  const data = Array.from({ length: Math.min(size, at) }, (_, index) =>
    state.chain.block(at - index),
  );
  const rest = at - data.length;
  if (rest === 0) return { data };
  if (cursor !== undefined && state.loops.has("blocks.list")) return { data, cursor };
  return { data, cursor: writeCursor(state, "blocks.list", { at: rest, filters: {} }) };
}

function listTransactions(state: LedgerState, call: Call, height: number) {
  if (!exists(state, height)) return ledgerError(404);
  return respondWithPage(state, call, {
    size: TRANSACTIONS_A_PAGE,
    open: () => ({
      length: state.chain.block(height).transaction_count,
      item: (index) => transactionAt(state, { height, index }),
    }),
  });
}

/** The time of a block, as the stamps of the other records are written. */
export function stampOf(state: LedgerState, height: number): string {
  return stampAt(state.chain.timeOf(height) * SECOND);
}

/** A time in milliseconds as a stamp with microseconds. */
export function stampAt(time: number): string {
  return new Date(time).toISOString().replace("Z", "000Z");
}
