import type { Columns, Item } from "./columns.ts";

export type Format = "ndjson" | "csv" | "sqlite" | "parquet";

/** The target of an export: its file and its columns. */
export interface Table {
  readonly file: string;
  /** The name of the table, if the format has one. */
  readonly name: string;
  readonly columns: Columns;
  /** The items in order, in batches. */
  readonly batches: AsyncIterable<readonly Item[]>;
}

/** Writes a whole file of a format. Overwrites an incomplete file of an earlier run. */
export type WriteTable = (table: Table) => Promise<void>;
