import type { Item } from "../export/columns.ts";
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
    return `day=${new Date(time as number).toISOString().slice(0, 10)}`;
  }
  const height = Number(item["height"]);
  return `from_height=${height - (height % BLOCKS_A_FILE)}`;
}
