import { isRecord, recordOf } from "@fieldmesh/core/internal";
import { fieldsOf } from "../clients/result-schema.ts";
import type { Input } from "../command.ts";
import type { Clients, Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { nearest } from "../nearest.ts";
import { asCell } from "../output/formula.ts";
import { printable } from "../output/printable.ts";
import { showValue } from "../output/table.ts";
import { methodOf, type Row } from "./row.ts";

/** What of a transaction every type has. */
const TRANSACTION = ["hash", "type", "height", "time"] as const;
const EVENT = ["reported_at", "category", "sub_category", "frame_up", "description"] as const;

/**
 * The columns of lists whose records have more fields than a terminal can show. `--columns` chooses others. The first column is
 * what other commands require, and is never cut.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  "console devices list": ["id", "name", "dev_eui", "active", "last_connected", "labels"],
  "console devices events": EVENT,
  "console devices integration-events": EVENT,
  "console flows list": ["id", "label_id", "device_id", "integration_id", "function_id"],
  "console organization list": ["id", "name", "dc_balance"],
  "ledger accounts activity": TRANSACTION,
  "ledger accounts challenges": TRANSACTION,
  "ledger accounts elections": TRANSACTION,
  "ledger accounts rewards": ["timestamp", "amount", "type", "block", "gateway", "hash"],
  "ledger accounts rewards-sum": ["timestamp", "gateway", "total", "min", "max", "avg"],
  "ledger blocks list": ["height", "time", "hash", "transaction_count"],
  "ledger blocks transactions": TRANSACTION,
  "ledger blocks transactions-by-hash": TRANSACTION,
  "ledger vars activity": TRANSACTION,
  "mobile events list": ["id", "type", "created_at", "livemode"],
};

/** Prints a list: a table on a terminal, tab-separated values in a pipe, and every field with `--json`. */
export async function showList(
  service: keyof Clients,
  { path }: Row,
  all: AsyncIterable<unknown>,
  { options }: Input,
  context: Context,
): Promise<void> {
  const { output } = context;
  const chosen = readColumns(options["columns"]);
  const columns = chosen ?? COLUMNS[path];
  if (output.isJson) return await output.records(all);
  const records =
    chosen === undefined ? all : withColumns(all, chosen, await fieldsOf(service, methodOf(path)));
  if (output.isTerminal)
    await output.records(namesOfRecords(records), columns, { keepsAll: chosen !== undefined });
  else {
    // What the ledger holds is printed as it is.
    const cellOf = service === "ledger" ? (text: string) => text : asCell;
    await writeTabs(namesOfRecords(records), { columns: chosen ?? PIPED[path], cellOf }, context);
  }
}

/** The columns in a pipe, where nothing has to be short. */
const PIPED: typeof COLUMNS = {
  "console devices list": ["id", "name", "dev_eui", "active", "labels", "last_connected"],
};

function readColumns(given: unknown): readonly string[] | undefined {
  if (typeof given !== "string") return undefined;
  const names = given.split(",").map((name) => name.trim());
  if (names.includes(""))
    throw new CliError("--columns needs names separated by commas, such as name,dev_eui.");
  return names;
}

/** The number of records in which a column is looked for that the schema does not declare. */
const LOOKED_AT = 100;

/** Fails before anything is printed if no record has a column. One that only the schema has is a dash. */
async function* withColumns(
  records: AsyncIterable<unknown>,
  columns: readonly string[],
  declared: readonly string[],
): AsyncGenerator {
  const known = new Set(declared);
  let wrong = columns.find((name) => !known.has(name));
  const held: unknown[] = [];
  for await (const record of records) {
    if (wrong === undefined) {
      yield record;
      continue;
    }
    held.push(record);
    for (const name of Object.keys(recordOf(record))) known.add(name);
    wrong = columns.find((name) => !known.has(name));
    if (wrong === undefined) yield* held.splice(0);
    else if (held.length === LOOKED_AT) break;
  }
  if (wrong === undefined || held.length === 0) return;
  const near = nearest(wrong, known);
  const advice = near === undefined ? "--json prints all fields." : `Did you mean ${near}?`;
  // What was typed may be a secret in the wrong place.
  throw new CliError(`--columns: no record has one of these columns. ${advice}`);
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

/** A person reads the names of labels and devices, and not their records. */
async function* namesOfRecords(records: AsyncIterable<unknown>): AsyncGenerator {
  for await (const record of records)
    yield isRecord(record)
      ? Object.fromEntries(Object.entries(record).map(([name, value]) => [name, namesOf(value)]))
      : record;
}

function namesOf(value: unknown): unknown {
  const isNamed = (each: unknown): boolean => isRecord(each) && typeof each["name"] === "string";
  return Array.isArray(value) && value.every(isNamed)
    ? value.map(({ name }: { name: string }) => name).join("; ")
    : value;
}
