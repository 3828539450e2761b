import {
  fileWriter,
  ParquetWriter,
  schemaFromColumnData,
  type BasicType,
  type ColumnSource,
} from "hyparquet-writer";
import { cellOf, type Item, type Kind } from "../columns.ts";
import type { WriteTable } from "./formats.ts";

/** Integers beyond 64 bits are digits in a STRING column. */
const TYPES: Readonly<Record<Kind, BasicType>> = {
  small: "INT64",
  integer: "INT64",
  long: "STRING",
  real: "DOUBLE",
  boolean: "BOOLEAN",
  text: "STRING",
};

/** Writes a row group for each batch, compressed with Snappy. */
export const writeParquet: WriteTable = async ({ file, columns, batches }) => {
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
  for await (const items of batches)
    await output.write({ columnData: columnsOf(items), rowGroupSize: items.length });
  await output.finish();
};
