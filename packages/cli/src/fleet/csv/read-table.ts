import { CliError } from "../../exit-codes.ts";
import { findColumns, namesOf, severalColumns, type Columns } from "./columns.ts";
import { FIELDS, isHeader, type Field } from "./field-names.ts";
import { digitsOf, isHexadecimal } from "./cells.ts";
import { describeMissing } from "./missing-columns.ts";
import type { Sheet, SheetRow } from "./sheet.ts";
import { withoutTitles } from "./unread-rows.ts";

/** A sheet whose columns are known. */
export interface Table {
  readonly sheet: Sheet;
  readonly columns: Columns;
  /** What of the file is not read, for the user: of its rows, if they were read before. */
  readonly notes: () => readonly string[];
}

/** Finds the columns of a sheet, and leaves out its titles and totals, for every command that reads rows. Throws a CliError that says what to do if one is missing. */
export async function readTable(
  sheet: Sheet,
  map: readonly string[] = [],
  required: readonly Field[],
): Promise<Table> {
  const { header } = sheet;
  const isList = header.length === 1 && required.length === 1 && header.some(isHexadecimal);
  const entries = isList && map.length === 0 ? [`1=${required.join("")}`] : map;
  const columns = findColumns(header, entries);
  for (const each of columns.alike)
    if (await hasBoth(sheet, each.columns)) throw severalColumns(each, header);
  const isUnnamed = isDevice(header, columns);
  const notes = [...noteOfHeader(sheet), ...noteOfUnused(header, columns)];
  const table = isUnnamed ? withHeader(sheet, entries) : { sheet, columns, notes };
  const missing = required.filter((field) => table.columns[field].length === 0);
  if (missing.length === 0) {
    // In a plain list, each line claims to be a value.
    if (table.sheet.header.length === 1) return { ...table, notes: () => table.notes };
    const read = withoutTitles(table.sheet, table.columns);
    return { ...table, sheet: read.sheet, notes: () => [...table.notes, ...read.notes()] };
  }
  throw new CliError(await describeMissing(table.sheet, table.columns, missing, isUnnamed));
}

/** Tells whether a row has more than one of some columns. JSON may have different names in each object. */
async function hasBoth(sheet: Sheet, columns: readonly number[]): Promise<boolean> {
  for await (const { cells } of sheet.rows())
    if (columns.filter((column) => (cells[column] ?? "") !== "").length > 1) return true;
  return false;
}

function noteOfHeader({ headerLine, comment }: Sheet): string[] {
  const rest = comment === undefined ? "" : ` Lines that begin with ${comment} are not read.`;
  return headerLine === 1 && rest === "" ? [] : [`The header is line ${headerLine}.${rest}`];
}

/** Columns that are named. Of more, a person reads no list. */
const NAMED = 12;

function noteOfUnused(header: readonly string[], columns: Columns): string[] {
  const used = new Set(FIELDS.flatMap((field) => columns[field]));
  const unused = namesOf(header).filter((_, at) => !used.has(at) && header[at] !== "");
  return unused.length === 0 ? [] : [`Not used: ${sayColumns(unused)}.`];
}

function sayColumns(names: readonly string[]): string {
  if (names.length === 1) return `the column ${names.join("")}`;
  const listed = names.length > NAMED ? names.slice(0, NAMED) : names.slice(0, -1);
  const last = names.length > NAMED ? `${names.length - NAMED} more` : names.at(-1);
  return `the columns ${listed.join(", ")} and ${last}`;
}

/** Returns the first cell of some columns that is not empty. */
export function firstFilled({ cells }: SheetRow, columns: readonly number[]): string {
  return columns.map((column) => cells[column] ?? "").find((cell) => cell !== "") ?? "";
}

/** Tells whether the first line is a device instead of a header. Its EUI may be damaged. */
function isDevice(line: readonly string[], { dev_eui }: Columns): boolean {
  if (line.some(isHexadecimal)) return true;
  const isDamaged = dev_eui.some((column) => DAMAGED.test(digitsOf(line[column] ?? "")));
  return !isHeader(line) && isDamaged;
}

const DAMAGED = /^(?:[0-9a-fo]{8,}|\d+(?:[.,]\d+)?e\+\d+)$/i;

/** Adds a header of fields. Only `--map` says what they are. */
function withHeader(sheet: Sheet, map: readonly string[]) {
  const { header } = sheet;
  const unnamed = header.map((_, at) => `column ${at + 1}`);
  const columns = findColumns(unnamed, map);
  const named = unnamed.map((name, at) => FIELDS.find((field) => columns[field][0] === at) ?? name);
  const rows = async function* (): AsyncGenerator<SheetRow> {
    yield { line: sheet.headerLine, cells: header };
    yield* sheet.rows();
  };
  return { sheet: { ...sheet, header: named, rows }, columns, notes: [] };
}
