import { createHash, hash } from "node:crypto";
import type { Input } from "../../command.ts";
import { CliError, exitCodes } from "../../exit-codes.ts";
import { streamUserFile } from "../../files/user-file.ts";
import { isAddress, type ListName, readLanes } from "../export/request.ts";
import { splitLines } from "../../files/read-lines.ts";
import type { Item } from "../export/formats/columns.ts";
import { lists } from "../export/lists.ts";

/** One part of the accounts, `2/8`: `index` from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** What identifies an export to a folder. The shards of one export have equal ones. The times are as the user typed them. */
export interface FolderRequest {
  readonly list: ListName;
  readonly partition: Partition;
  readonly minTime: string | undefined;
  readonly maxTime: string | undefined;
  /** Identifies all accounts of the file, not only those of the shard. */
  readonly accounts: string | undefined;
  readonly shards: number;
  readonly distinct: boolean;
}

/** The command line of an export to a folder. */
export interface FolderInput {
  readonly request: FolderRequest;
  readonly folder: string;
  /** The accounts of this shard; a list without accounts has one owner, `undefined`. */
  readonly owners: readonly (string | undefined)[];
  readonly shard: Shard;
  readonly lanes: number;
}

/** Tells whether a command line asks for a folder. Throws a CliError for options that only a folder has. */
export function asksForFolder({ options }: Input): boolean {
  const { partition, accounts, shard } = options;
  if (partition !== undefined) return true;
  const option = accounts === undefined ? shard && "--shard" : "--accounts";
  if (option)
    throw new CliError(
      `${option} needs --partition day, which writes a folder with a file for each account and day.`,
    );
  return false;
}

/** Reads the command line of an export to a folder. Throws a CliError for a combination that is not possible. */
export async function readFolderInput(
  list: ListName,
  { arguments: words, options }: Input,
  signal: AbortSignal,
): Promise<FolderInput> {
  const { out, format, lanes, minTime, maxTime, partition, accounts, shard } = options as Record<
    string,
    string | undefined
  >;
  if (!out) throw new CliError("Name the folder, such as --out rewards/.");
  if (format !== undefined && format !== "parquet")
    throw new CliError(`With --partition, the files are Parquet: leave out --format.`);
  const own = readShard(shard);
  if (list === "rewards" && (words[0] !== undefined || accounts === undefined))
    throw new CliError(
      "With --partition day, name a file of addresses, one on each line, instead of an address: --accounts accounts.txt.",
    );
  if (own.of > 1 && [minTime, maxTime ?? "now"].some(isRelative))
    throw new CliError(
      "With --shard, --min-time and --max-time must be dates: relative times mean another timeframe on each machine.",
    );
  const all = accounts === undefined ? undefined : await readAccounts(accounts, signal);
  return {
    request: {
      list,
      // The program has checked it: each list has one.
      partition: partition as Partition,
      minTime,
      maxTime,
      accounts: all && hashOf(all),
      shards: own.of,
      distinct: options["distinct"] === true,
    },
    folder: out,
    owners: all?.filter((account) => shardOf(account, own.of) === own.index) ?? [undefined],
    shard: own,
    lanes: readLanes(lanes),
  };
}

/** Returns the accounts of a file, each once, sorted. Empty lines and lines that begin with `#` are left out. */
async function readAccounts(file: string, signal: AbortSignal): Promise<string[]> {
  const wrong: number[] = [];
  const found = new Set<string>();
  let number = 0;
  for await (const each of linesOf(streamUserFile(file, signal, "The file of --accounts"))) {
    const line = each.trim();
    number++;
    if (isAddress(line)) found.add(line);
    else if (line !== "" && !line.startsWith("#")) wrong.push(number);
  }
  if (wrong.length > 0)
    throw new CliError(
      `${file} has lines that are not an address in base58: ${listed(wrong)}. Correct them, or begin them with #.`,
    );
  if (found.size === 0) throw new CliError(`${file} has no address.`);
  return [...found].toSorted();
}

/** Yields every line, with the last one, which may have no line break. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const lines = splitLines(pieces);
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) return yield value;
    yield* value;
  }
}

/** Returns a hash of all accounts, without one string that contains them. */
function hashOf(accounts: readonly string[]): string {
  const sum = createHash("sha256");
  for (const account of accounts) sum.update(`${account}\n`);
  return sum.digest("hex");
}

const MOST_NAMED = 5;

function listed(lines: readonly number[]): string {
  const named = lines.slice(0, MOST_NAMED).join(", ");
  const more = lines.length - MOST_NAMED;
  return more > 0 ? `${named} and ${more} more` : named;
}

function readShard(shard: string | undefined): Shard {
  if (shard === undefined) return { index: 1, of: 1 };
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(shard)?.map(Number) ?? [];
  if (index !== undefined && of !== undefined && index >= 1 && index <= of) return { index, of };
  throw new CliError("--shard must be a part of all, such as 2/8: the second of eight.");
}

/** An account is always in the same shard, whatever other accounts the file has. */
function shardOf(account: string, shards: number): number {
  return (hash("sha256", account, "buffer").readUInt32BE(0) % shards) + 1;
}

function isRelative(time: string | undefined): boolean {
  return time !== undefined && (time === "now" || time.startsWith("-"));
}

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
