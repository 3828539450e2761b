import type { Columns, Item } from "../columns.ts";

export const FORMATS = ["ndjson", "csv", "sqlite", "parquet"] as const;
export type Format = (typeof FORMATS)[number];

/** What the items of an export are written to, and as what. */
export interface Table {
  readonly file: string;
  /** The name of the table, where the format has one. */
  readonly name: string;
  readonly columns: Columns;
  /** The items in their order, some at a time. */
  readonly batches: AsyncIterable<readonly Item[]>;
}

/** Writes a whole file of a format; what an earlier run left of it is overwritten. */
export type WriteTable = (table: Table) => Promise<void>;

/** The writers of the formats that are not NDJSON, loaded when they are used. */
export const writers: Readonly<Record<Exclude<Format, "ndjson">, () => Promise<WriteTable>>> = {
  csv: async () => (await import("./csv.ts")).writeCsv,
  sqlite: async () => (await import("./sqlite.ts")).writeSqlite,
  parquet: async () => (await import("./parquet.ts")).writeParquet,
};

export function isFormat(name: string): name is Format {
  return (FORMATS as readonly string[]).includes(name);
}
