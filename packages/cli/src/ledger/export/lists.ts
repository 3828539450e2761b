import { millisecondsOf } from "@fieldmesh/core/internal";
import type { Checkpoint, LedgerClient, ParallelCheckpoint } from "@fieldmesh/ledger-client";
import type { Columns, Item } from "./formats/columns.ts";
import type { ExportState } from "./journal.ts";
import type { ListName } from "./request.ts";

/** A walk through a list, newest item first. */
export interface ExportWalk {
  next(): Promise<IteratorResult<object>>;
  return(): Promise<unknown>;
  checkpoint(): unknown;
  readonly repeated: number;
}

/** The differences between the lists. */
export interface List {
  /** The name of its items. */
  readonly noun: string;
  /** The columns that the file always has, in this order. Other columns follow in the order in which they first appear. */
  readonly columns: Columns;
  /** The time of an item, in milliseconds. `undefined` if it is not a date. */
  readonly timeOf: (item: Item) => number | undefined;
  /** Opens the list at the place of a state. Throws an InputError for a wrong account, and a CheckpointError for a wrong server or place. */
  open(client: LedgerClient, state: ExportState, options: WalkOptions): ExportWalk;
}

export interface WalkOptions {
  readonly lanes: number;
  readonly signal: AbortSignal;
}

const onCursorExpired = "restart";

export const lists: Readonly<Record<ListName, List>> = {
  rewards: {
    noun: "rewards",
    columns: {
      block: "small",
      hash: "text",
      timestamp: "text",
      account: "text",
      gateway: "text",
      amount: "small",
      type: "text",
    },
    timeOf: ({ timestamp }) => millisecondsOf(timestamp),
    open: (client, { request, times, checkpoint }, { lanes, signal }) =>
      client.accounts
        .rewards(
          { address: request.account ?? "", min_time: times.min, max_time: times.max },
          { signal, onCursorExpired },
        )
        .parallel({
          lanes,
          order: "list",
          checkpoint: checkpoint as ParallelCheckpoint | undefined,
        }),
  },

  activity: {
    noun: "transactions",
    columns: { type: "text", hash: "text", height: "small", time: "small", fee: "small" },
    timeOf: ({ time }) => millisecondsOf(time),
    open(client, { request, times, checkpoint }, { lanes, signal }) {
      const input = { address: request.account ?? "" };
      const { min, max } = times;
      const query = {
        ...(min !== undefined && { min_time: min }),
        ...(max !== undefined && { max_time: max }),
      };
      const options = { query, signal, onCursorExpired } as const;
      if (min === undefined)
        return client.accounts
          .activity(input, { ...options, checkpoint: checkpoint as Checkpoint | undefined })
          .walk();
      return client.accounts.activity(input, options).parallel({
        lanes,
        order: "list",
        by: { min: "min_time", max: "max_time" },
        checkpoint: checkpoint as ParallelCheckpoint | undefined,
      });
    },
  },

  blocks: {
    noun: "blocks",
    columns: {
      height: "small",
      hash: "text",
      prev_hash: "text",
      time: "small",
      transaction_count: "small",
      snapshot_hash: "text",
    },
    timeOf: ({ time }) => millisecondsOf(time),
    open: (client, { checkpoint }, { signal }) =>
      client.blocks
        .list({}, { signal, onCursorExpired, checkpoint: checkpoint as Checkpoint | undefined })
        .walk(),
  },
};

/** Returns the heights of the blocks in a timeframe, as the ledger determines them. */
export async function heightsIn(
  client: LedgerClient,
  { min, max }: ExportState["times"],
  signal: AbortSignal,
): Promise<{ readonly first: number; readonly last: number }> {
  const before = async (max_time: string | undefined): Promise<number> =>
    (await client.blocks.height({ max_time }, { signal })).height;
  return {
    first: min === undefined ? 0 : (await before(min)) + 1,
    last: await before(max),
  };
}
