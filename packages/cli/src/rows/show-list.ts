import { isRecord } from "@fieldmesh/core/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { asCell } from "../output/formula.ts";
import { printable } from "../output/printable.ts";
import { showValue } from "../output/table.ts";
import type { Row } from "./row.ts";

/** The columns of lists whose records have more fields than a terminal can show. `--columns` chooses others. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  "console devices list": ["name", "dev_eui", "active", "labels", "last_connected"],
};

/** Prints a list: a table on a terminal, tab-separated values in a pipe, and every field with `--json`. */
export async function showList(
  { path }: Row,
  records: AsyncIterable<unknown>,
  { options }: Input,
  context: Context,
): Promise<void> {
  const { output } = context;
  const columns = readColumns(options["columns"]) ?? COLUMNS[path];
  if (output.isJson) await output.records(records);
  else if (output.isTerminal) await output.records(namesOfLabels(records), columns);
  else {
    // What the ledger holds is printed as it is.
    const cellOf = path.startsWith("ledger ") ? (text: string) => text : asCell;
    await writeTabs(namesOfLabels(records), { columns, cellOf }, context);
  }
}

function readColumns(given: unknown): readonly string[] | undefined {
  if (typeof given !== "string") return undefined;
  const names = given.split(",").map((name) => name.trim());
  if (names.includes(""))
    throw new CliError("--columns needs names separated by commas, such as name,dev_eui.");
  return names;
}

/** Without `columns`, those of the first record. */
async function writeTabs(
  records: AsyncIterable<unknown>,
  { columns, cellOf }: { columns: readonly string[] | undefined; cellOf: (text: string) => string },
  { output, reveal }: Context,
): Promise<void> {
  let names: readonly string[] | undefined;
  const shown = (cell: unknown): string =>
    cell === undefined || cell === null
      ? showValue(cell, { reveal })
      : cellOf(showValue(cell, { reveal }));
  for await (const record of records) {
    if (names === undefined) {
      names = columns ?? (isRecord(record) ? Object.keys(record) : []);
      if (names.length > 0)
        await output.line(names.map((name) => cellOf(printable(name))).join("\t"));
    }
    const cells = isRecord(record) ? names.map((name) => record[name]) : [record];
    await output.line(cells.map((cell) => shown(cell)).join("\t"));
  }
  if (names === undefined) output.note("There are no records.");
}

/** A person reads the names of labels, and not their records. */
async function* namesOfLabels(records: AsyncIterable<unknown>): AsyncGenerator {
  for await (const record of records) {
    const labels = isRecord(record) ? record["labels"] : undefined;
    const isList = Array.isArray(labels) && labels.every((label) => isRecord(label));
    yield isList && isRecord(record)
      ? { ...record, labels: labels.map(({ name }) => String(name)).join("; ") }
      : record;
  }
}
