import { readFileSync } from "node:fs";
import { parseJson } from "@fieldmesh/core";
import { parse } from "csv-parse/sync";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";

export type Row = Readonly<Record<string, unknown>>;

/** Reads a file of each format with another library than the one that wrote it, or with the platform. */
export const readBack: Readonly<Record<string, (file: string) => Promise<Row[]>>> = {
  ndjson: async (file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => parseJson(line) as Row),
  csv: async (file) =>
    parse(readFileSync(file), {
      columns: true,
      cast: (value, { header, quoting }) => (header || quoting || value !== "" ? value : null),
    }) as Row[],
  async sqlite(file) {
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(file, { readOnly: true });
    const [table] = database.prepare("SELECT name FROM sqlite_schema").all();
    const rows = database.prepare(`SELECT * FROM "${String(table?.["name"])}"`);
    rows.setReadBigInts(true);
    const all = rows.all().map((row) => ({ ...row }));
    database.close();
    return all;
  },
  parquet: async (file) =>
    (await parquetReadObjects({ file: await asyncBufferFromFile(file) })) as Row[],
};
