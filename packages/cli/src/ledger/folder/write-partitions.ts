import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CliError, exitCodes } from "../../exit-codes.ts";
import { beginFile } from "../../files/begin-file.ts";
import type { Columns, Item } from "../export/formats/columns.ts";
import { openParquet } from "../export/formats/parquet.ts";
import { lists } from "../export/lists.ts";
import type { ListName } from "../export/request.ts";
import type { ManifestFile } from "./manifest.ts";
import { folderOf, type Partition, SUMS } from "./folder-request.ts";

/** What is written, and where. */
export interface PartitionedTable {
  readonly folder: string;
  /** From the folder to the files: `account=…`, or empty. */
  readonly prefix: string;
  readonly list: ListName;
  readonly partition: Partition;
  readonly columns: Columns;
}

/** Writes items, which are in the order of the list, to a file for each partition. A file gets its name when it is complete. */
export async function writePartitions(
  table: PartitionedTable,
  batches: AsyncIterable<readonly Item[]>,
): Promise<ManifestFile[]> {
  const columns = sameColumns(table);
  const files: ManifestFile[] = [];
  let open: Awaited<ReturnType<typeof openPartition>> | undefined;
  for await (const items of batches) {
    for (const [name, part] of groupByFolder(table.partition, items)) {
      if (open?.name !== name) {
        if (open !== undefined) files.push(await open.finish());
        open = await openPartition(table, name, columns);
      }
      if (files.some(({ path }) => path === open?.path)) throw outOfOrder(table, name);
      await open.write(part);
    }
  }
  if (open !== undefined) files.push(await open.finish());
  return files;
}

async function openPartition(
  { folder, prefix, list, partition }: PartitionedTable,
  name: string,
  columns: Columns,
) {
  const path = [prefix, name, `${list}.parquet`].filter((part) => part !== "").join("/");
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  const begun = await beginFile(file);
  const output = openParquet(begun.path, columns);
  const column = SUMS[partition];
  let rows = 0;
  let sum = 0n;
  return {
    name,
    path,
    async write(items: readonly Item[]) {
      rows += items.length;
      for (const item of items) sum += BigInt((item[column] as number | bigint | undefined) ?? 0);
      await output.write(items);
    },
    async finish(): Promise<ManifestFile> {
      await output.finish();
      await begun.finish();
      return { path, rows, sum: String(sum), sha256: await sha256Of(file) };
    },
  };
}

/** Returns the items of each folder, in order. */
function groupByFolder(partition: Partition, items: readonly Item[]): [string, Item[]][] {
  const groups: [string, Item[]][] = [];
  for (const item of items) {
    const name = folderOf(partition, item);
    const last = groups.at(-1);
    if (last?.[0] === name) last[1].push(item);
    else groups.push([name, [item]]);
  }
  return groups;
}

/** Returns the columns with the types that the files of all accounts and days share, so that they can be read as one table. */
function sameColumns({ list, prefix, columns }: PartitionedTable): Columns {
  const declared = lists[list].columns;
  for (const [name, kind] of Object.entries(declared)) {
    const found = columns[name] ?? kind;
    if (kind === "text" || found === "small" || found === "integer") continue;
    throw new CliError(
      `${prefix === "" ? list : prefix} has values in the column ${name} that do not fit into 64 bits, so its files cannot be read with the others as one table. Export it to a file of its own, without --partition.`,
      exitCodes.failed,
    );
  }
  return Object.fromEntries(
    Object.entries({ ...declared, ...columns }).map(([name, kind]) => [
      name,
      declared[name] === "text" ? "text" : kind,
    ]),
  );
}

function outOfOrder({ list, prefix }: PartitionedTable, name: string): CliError {
  return new CliError(
    `The ledger lists ${list} of ${prefix === "" ? "the chain" : prefix} out of order around ${name}. Export them to a file, without --partition.`,
    exitCodes.failed,
  );
}

/** Returns the SHA-256 of a file, in hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
