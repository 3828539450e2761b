import { readFile, writeFile } from "node:fs/promises";
import {
  fileWriter,
  ParquetWriter,
  schemaFromColumnData,
  type BasicType,
  type ColumnSource,
} from "hyparquet-writer";
import { cellOf, type Columns, type Item, type Kind } from "./columns.ts";
import type { WriteTable } from "./table.ts";

/** Integers beyond 64 bits are strings in a STRING column. */
const TYPES: Readonly<Record<Kind, BasicType>> = {
  small: "INT64",
  integer: "INT64",
  long: "STRING",
  real: "DOUBLE",
  boolean: "BOOLEAN",
  text: "STRING",
};

/** Begins a Parquet file, compressed with Snappy. Overwrites an incomplete file of an earlier run. */
export function openParquet(file: string, columns: Columns) {
  const columnsOf = (items: readonly Item[]): ColumnSource[] =>
    Object.entries(columns).map(([name, kind]) => ({
      name,
      type: TYPES[kind],
      data: items.map((item) => cellOf(item, name, kind)),
    }));
  const output = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
  });
  return {
    /** Writes a row group. */
    async write(items: readonly Item[]): Promise<void> {
      await output.write({ columnData: columnsOf(items), rowGroupSize: items.length });
    },
    async finish(): Promise<void> {
      await output.finish();
      if (output.num_rows === 0n) await nameElementType(file);
    },
  };
}

export const writeParquet: WriteTable = async ({ file, columns, batches }) => {
  const output = openParquet(file, columns);
  for await (const items of batches) await output.write(items);
  await output.finish();
};

/** In the footer of a file without rows: the number of rows, and a list whose elements have no type. */
const EMPTY_LIST = Buffer.from([0x16, 0x00, 0x19, 0x00]);
const STRUCT = 0x0c;

/** hyparquet-writer 0.17 omits the element type of an empty list, and readers in Rust reject that. */
async function nameElementType(file: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.lastIndexOf(EMPTY_LIST);
  if (at === -1) return;
  bytes[at + EMPTY_LIST.length - 1] = STRUCT;
  await writeFile(file, bytes);
}
