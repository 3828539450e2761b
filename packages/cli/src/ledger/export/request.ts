import type { Input } from "../../command.ts";
import { CliError } from "../../exit-codes.ts";
import type { Format } from "./formats/table.ts";

export type ListName = "rewards" | "activity" | "blocks";

/** What identifies an export. A run with another request must not resume it. The times are as the user typed them. */
export interface Request {
  readonly list: ListName;
  readonly account: string | undefined;
  readonly minTime: string | undefined;
  readonly maxTime: string | undefined;
  /** Leaves out rows that a page repeats. */
  readonly distinct: boolean;
}

/** The request of a command line. */
export interface ExportInput {
  readonly request: Request;
  readonly file: string;
  readonly format: Format;
  readonly lanes: number;
}

/** The alphabet of base58, which is all that the contract says of an address. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
const DEFAULT_LANES = 4;
const MOST_LANES = 64;
const EXTENSIONS: Readonly<Record<string, Format>> = {
  ndjson: "ndjson",
  jsonl: "ndjson",
  csv: "csv",
  sqlite: "sqlite",
  sqlite3: "sqlite",
  db: "sqlite",
  parquet: "parquet",
};

/** Reads the command line. Throws a CliError for a value that is not valid. */
export function readInput(list: ListName, { arguments: words, options }: Input): ExportInput {
  const { out, format, lanes, minTime, maxTime } = options as Record<string, string | undefined>;
  const account = list === "blocks" ? undefined : words[0];
  if (list !== "blocks" && account === undefined)
    throw new CliError("Name the account: copy its address, or see --help for many accounts.");
  if (!out) throw new CliError("Name the file to write, such as --out rewards.parquet.");
  if (list === "activity" && minTime === undefined && lanes !== undefined && lanes !== "1")
    throw new CliError("--lanes needs --min-time: lanes divide the list by time.");
  if (account !== undefined && !isAddress(account))
    throw new CliError(
      "The address is not an account address, which is base58: letters and digits without 0, O, I and l. Copy the whole address.",
    );
  return {
    request: { list, account, minTime, maxTime, distinct: options["distinct"] === true },
    file: out,
    format: readFormat(out, format),
    lanes: readLanes(lanes),
  };
}

export function isAddress(text: string): boolean {
  return BASE58.test(text);
}

/** Tells whether two command lines ask for the same items. */
export function isSame(one: Request, other: Request): boolean {
  const names = ["list", "account", "minTime", "maxTime", "distinct"] as const;
  return names.every((name) => one[name] === other[name]);
}

function readFormat(file: string, named: string | undefined): Format {
  const [, extension = ""] = /\.([a-z0-9]+)$/.exec(file.toLowerCase()) ?? [];
  // The program has checked --format.
  const format = (named as Format | undefined) ?? EXTENSIONS[extension];
  if (format !== undefined) return format;
  throw new CliError(
    `The name of --out has no known format: end it in .ndjson, .csv, .sqlite or .parquet, or add --format.`,
  );
}

/** Reads the number of requests at once. */
export function readLanes(lanes: string | undefined): number {
  if (lanes === undefined) return DEFAULT_LANES;
  const count = Number(lanes);
  if (/^\d+$/.test(lanes) && count >= 1 && count <= MOST_LANES) return count;
  throw new CliError(`--lanes must be a whole number from 1 to ${MOST_LANES}.`);
}
