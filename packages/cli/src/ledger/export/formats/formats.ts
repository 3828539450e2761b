import type { Format, WriteTable } from "./table.ts";

/** The writers of all formats but NDJSON. They are loaded when they are used. */
export const writers: Readonly<Record<Exclude<Format, "ndjson">, () => Promise<WriteTable>>> = {
  csv: async () => (await import("./csv.ts")).writeCsv,
  sqlite: async () => (await import("./sqlite.ts")).writeSqlite,
  parquet: async () => (await import("./parquet.ts")).writeParquet,
};
