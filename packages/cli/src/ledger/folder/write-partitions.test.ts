import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lists } from "../export/lists.ts";
import { type PartitionedTable, writePartitions } from "./write-partitions.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";

function tableOf(more: Partial<PartitionedTable> = {}): PartitionedTable {
  const folder = temporaryFolder(onTestFinished);
  const { columns } = lists.rewards;
  return { folder, prefix: "account=a", list: "rewards", partition: "day", columns, ...more };
}

const reward = (timestamp: string, amount?: number) => ({ timestamp, amount });

async function* batches(...all: object[][]) {
  yield* all as Record<string, unknown>[][];
}

test("a file holds the items of one day, also of several batches, with their number and sum", async () => {
  const table = tableOf();
  const files = await writePartitions(
    table,
    batches(
      [reward("2026-11-21T10:00:00Z", 5), reward("2026-11-20T23:59:59Z", 1)],
      [reward("2026-11-20T00:00:00Z", 2), reward("2026-11-20T00:00:00Z")],
    ),
  );
  expect(files).toEqual([
    { path: "account=a/day=2026-11-21/rewards.parquet", rows: 1, sum: "5", sha256: HASH },
    { path: "account=a/day=2026-11-20/rewards.parquet", rows: 3, sum: "3", sha256: HASH },
  ]);
  expect(readdirSync(join(table.folder, "account=a"))).toHaveLength(2);
});

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

test.each<[Partial<PartitionedTable>, object, string]>([
  [{}, { timestamp: "2026-99-99", hash: "canary" }, "timestamp"],
  [{}, { timestamp: null, hash: "canary" }, "timestamp"],
  [{ partition: "height", list: "blocks" }, { height: "canary" }, "height"],
])(
  "an item that belongs to no file is an error that says what to do: %#",
  async (own, item, column) => {
    await expect(writePartitions(tableOf(own), batches([item]))).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(
        new RegExp(`^The ledger sent .* whose ${column} cannot be read, .* into one file`),
      ) as string,
    });
  },
);

test("without an item there is no file", async () => {
  expect(await writePartitions(tableOf(), batches())).toEqual([]);
});

test.for([
  ["account=a", "The ledger lists rewards of account=a out of order around day=2026-11-21."],
  ["", "The ledger lists rewards of the chain out of order around day=2026-11-21."],
])(
  "a day that comes back is an error, because its file is complete (prefix %j)",
  async ([prefix, message]) => {
    const [newer, older] = ["2026-11-21T10:00:00Z", "2026-11-20T10:00:00Z"];
    const written = writePartitions(
      tableOf({ prefix: prefix! }),
      batches([reward(newer)], [reward(older)], [reward(newer)]),
    );
    await expect(written).rejects.toThrow(message!);
  },
);

test.for([
  ["account=a", "account=a has values in the column amount that do not fit into 64 bits"],
  ["", "rewards has values in the column amount that do not fit into 64 bits"],
])(
  "a column that other files could not share is an error (prefix %j)",
  async ([prefix, message]) => {
    const columns = { ...lists.rewards.columns, amount: "text" } as const;
    const written = writePartitions(tableOf({ prefix: prefix!, columns }), batches([]));
    await expect(written).rejects.toThrow(message!);
  },
);
