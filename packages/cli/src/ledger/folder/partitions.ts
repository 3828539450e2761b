import { CliError, exitCodes } from "../../exit-codes.ts";
import type { Item } from "../export/formats/columns.ts";
import { lists } from "../export/lists.ts";

/** How a list is divided into files: rewards by day, blocks by height. */
export type Partition = "day" | "height";

const BLOCKS_A_FILE = 10_000;

/** The columns whose sums the manifest has. */
export const SUMS: Readonly<Record<Partition, string>> = {
  day: "amount",
  height: "transaction_count",
};

/** Returns the folder of an item, such as `day=2026-11-20`: readers of Parquet make a column of it. */
export function folderOf(partition: Partition, item: Item): string {
  if (partition === "day") {
    const time = lists.rewards.timeOf(item);
    if (time === undefined) throw isNowhere("a reward", "timestamp", "no day");
    return `day=${new Date(time).toISOString().slice(0, 10)}`;
  }
  const height = item["height"];
  if (typeof height !== "number") throw isNowhere("a block", "height", "no range of heights");
  return `from_height=${height - (height % BLOCKS_A_FILE)}`;
}

function isNowhere(item: string, column: string, folder: string): CliError {
  return new CliError(
    `The ledger sent ${item} whose ${column} cannot be read, so it belongs to ${folder}. Export the list into one file instead, and look at that column.`,
    exitCodes.failed,
  );
}
