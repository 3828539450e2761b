import { open } from "node:fs/promises";
import { stringifyJson } from "@fieldmesh/core";
import { stringify } from "csv-stringify/sync";
import type { Item } from "./columns.ts";
import type { WriteTable } from "./table.ts";

/** Numbers are unchanged. A string that a spreadsheet would run as a formula gets a leading apostrophe. */
const OPTIONS = {
  escape_formulas: true,
  // An empty string is not a missing value.
  quoted_match: /^$/,
  cast: { boolean: String },
} as const;

/** Writes CSV in UTF-8, with a header. Nested values are JSON. */
export const writeCsv: WriteTable = async ({ file, columns, batches }) => {
  const names = Object.keys(columns);
  const output = await open(file, "w");
  try {
    await output.writeFile(stringify([names], OPTIONS));
    for await (const items of batches) {
      const rows = items.map((item) => names.map((name) => cell(item, name)));
      await output.writeFile(stringify(rows, OPTIONS));
    }
  } finally {
    await output.close();
  }
};

function cell(item: Item, name: string): unknown {
  const value = Object.hasOwn(item, name) ? item[name] : null;
  return typeof value === "object" && value !== null ? stringifyJson(value) : value;
}
