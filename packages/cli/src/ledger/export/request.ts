import type { Input } from "../../command.ts";
import { CliError } from "../../exit-codes.ts";
import { FORMATS, isFormat, type Format } from "./formats/formats.ts";

export type ListName = "rewards" | "activity" | "blocks";

/** What names an export: a run with another one must not resume it. The times are as they were typed. */
export interface Request {
  readonly list: ListName;
  readonly account: string | undefined;
  readonly minTime: string | undefined;
  readonly maxTime: string | undefined;
}

/** What the command line asks for. */
export interface ExportInput {
  readonly request: Request;
  readonly file: string;
  readonly format: Format;
  readonly lanes: number;
}

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

/** Reads the command line; throws a CliError for what cannot be meant. */
export function readInput(list: ListName, { arguments: words, options }: Input): ExportInput {
  const { out, format, lanes, minTime, maxTime } = options as Record<string, string | undefined>;
  const account = list === "blocks" ? undefined : words[0];
  if (out === undefined || out === "")
    throw new CliError("Name the file to write, such as --out rewards.parquet.");
  if (list === "rewards" && minTime === undefined)
    throw new CliError('Pass --min-time, such as --min-time "-30 day".');
  if (list === "activity" && minTime === undefined && lanes !== undefined && lanes !== "1")
    throw new CliError("--lanes needs --min-time, which is where lanes split the list.");
  return {
    request: { list, account, minTime, maxTime },
    file: out,
    format: readFormat(out, format),
    lanes: readLanes(lanes),
  };
}

/** Tells whether two command lines ask for the same items. */
export function isSame(one: Request, other: Request): boolean {
  const names = ["list", "account", "minTime", "maxTime"] as const;
  return names.every((name) => one[name] === other[name]);
}

function readFormat(file: string, named: string | undefined): Format {
  const [, extension = ""] = /\.([a-z0-9]+)$/.exec(file.toLowerCase()) ?? [];
  const format = named ?? EXTENSIONS[extension];
  if (format !== undefined && isFormat(format)) return format;
  if (named !== undefined) throw new CliError(`--format must be one of ${FORMATS.join(", ")}.`);
  throw new CliError(
    `The name ${file} does not tell the format: end it in .ndjson, .csv, .sqlite or .parquet, or pass --format.`,
  );
}

function readLanes(lanes: string | undefined): number {
  if (lanes === undefined) return DEFAULT_LANES;
  const count = Number(lanes);
  if (/^\d+$/.test(lanes) && count >= 1 && count <= MOST_LANES) return count;
  throw new CliError(`--lanes must be a whole number from 1 to ${MOST_LANES}.`);
}
