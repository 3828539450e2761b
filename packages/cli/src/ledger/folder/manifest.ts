// What a shard has written: a line for the export, then a line for each account when all its files are complete. A line that was cut
// off by a kill does not count.
import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@fieldmesh/core/internal";
import { jsonOrUndefined } from "@fieldmesh/sandbox/internal";
import { CliError } from "../../exit-codes.ts";
import type { Timeframe } from "../export/times.ts";
import { readLines } from "../../files/read-lines.ts";
import type { FolderRequest, Shard } from "./folder-request.ts";

/** The first line of a manifest. */
export interface ManifestHead {
  readonly version: 1;
  readonly request: FolderRequest;
  readonly shard: Shard;
  readonly times: Timeframe;
  /** The accounts of the shard, or one `null` for a list without accounts. */
  readonly owners: readonly (string | null)[];
}

/** A complete file. Integers of any size are strings. */
export interface ManifestFile {
  /** From the folder of the export, with `/`. */
  readonly path: string;
  readonly rows: number;
  /** The sum of a column. */
  readonly sum: string;
  readonly sha256: string;
}

/** The files of an account. */
export interface ManifestEntry {
  readonly owner: string | null;
  readonly rows: number;
  readonly sum: string;
  /** How many rows the ledger has repeated, as in the state of an export. */
  readonly repeated: number;
  readonly files: readonly ManifestFile[];
}

export interface Manifest {
  readonly file: string;
  readonly head: ManifestHead;
  readonly entries: readonly ManifestEntry[];
  /** The length of the complete lines. */
  readonly length: number;
}

const NAME = /^manifest-\d+-of-\d+\.ndjson$/;

export function manifestOf(folder: string, { index, of }: Shard): string {
  return join(folder, `manifest-${index}-of-${of}.ndjson`);
}

/** Reads all manifests of a folder. */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
  return await Promise.all(names.map(async (name) => await readManifest(join(folder, name))));
}

async function readManifest(file: string): Promise<Manifest> {
  const found: unknown[] = [];
  let length = 0;
  for await (const lines of readLines(file))
    for (const line of lines) {
      length += Buffer.byteLength(line) + 1;
      if (line !== "") found.push(jsonOrUndefined(line));
    }
  const [head, ...entries] = found;
  if (isRecord(head) && head["version"] === 1 && entries.every(isRecord))
    return {
      file,
      head: head as unknown as ManifestHead,
      entries: entries as unknown as ManifestEntry[],
      length,
    };
  throw new CliError(
    `${file} is not a manifest of this version: it was changed, or its export was killed at its start. Delete it and export this shard again.`,
  );
}

/** Adds a line to a manifest, which its head begins. */
export async function addLine(file: string, line: ManifestHead | ManifestEntry): Promise<void> {
  await appendFile(file, `${JSON.stringify(line)}\n`, { flush: true });
}

/** Adds up the rows and sums of files or accounts. */
export function totalOf(parts: readonly Pick<ManifestFile, "rows" | "sum">[]) {
  return {
    rows: parts.reduce((total, { rows }) => total + rows, 0),
    sum: String(parts.reduce((total, { sum }) => total + BigInt(sum), 0n)),
  };
}

/** Tells whether two requests are of one export. JSON leaves out what is undefined. */
export function isSameRequest(one: FolderRequest, other: FolderRequest): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}
