import { digitsOf, isHexadecimal } from "./cells.ts";
import { mapEntry, namesOf, type Columns } from "./columns.ts";
import {
  isFieldName,
  isHeader,
  isOfSession,
  isReversed,
  REQUIRED,
  type Field,
} from "./field-names.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

/** The digits of the fields that are recognized by their values. */
const DIGITS: Partial<Record<Field, RegExp>> = {
  dev_eui: /^[0-9a-f]{16}$/i,
  app_eui: /^[0-9a-f]{16}$/i,
  app_key: /^[0-9a-f]{32}$/i,
};

/** Says which fields a file does not have, and what to do. Without `columns`, its first line is a device. */
export async function describeMissing(
  sheet: Sheet,
  columns: Columns | undefined,
  missing: readonly Field[],
): Promise<string> {
  const { file, header } = sheet;
  const rows = await firstRows(sheet);
  if (hasFieldsInLines(header, rows))
    return `${file} has the names of its fields in the first column. Write them in the first line, such as ${NAMES}, and each device in a line below.`;
  if (columns === undefined)
    return `${file} has no header: write the names of its columns in the first line, such as ${NAMES}, or map them by their numbers, such as --map "${header.findIndex(isHexadecimal) + 1}=dev_eui".`;
  const fitting = fittingColumns(header, rows, columns, missing);
  const hasSession = header.some((name, at) => isOfSession(name) && valuesOf(rows, at).length > 0);
  const hasKey = !missing.includes("app_key") || fitting.some(({ field }) => field === "app_key");
  if (hasSession && !hasKey)
    return `${file} is for ABP devices. The console accepts OTAA devices, which need an AppKey: ask the vendor for the AppKeys, and add them as a column app_key. The session keys of ABP cannot replace them.`;
  const entries = fitting.map(({ column, field }) => mapEntry(header, column, field));
  const advice =
    entries.length === 0
      ? adviceWithoutMap(header, missing)
      : `${adviceOf(entries.length, missing.length)} ${entries.join(", ")}.`;
  const forAll = missing.includes("app_eui")
    ? " If no column has the app_eui, set one for all devices with --app-eui."
    : "";
  return `${file} has no ${missing.join(" or ")} column. ${advice}${forAll} The columns are ${namesOf(header).join(", ")}.`;
}

const NAMES = "name,dev_eui,app_eui,app_key";

/** Tells whether each line has one field, such as `DevEUI: 0004…`, so that a column would be a device. */
function hasFieldsInLines(header: readonly string[], rows: readonly SheetRow[]): boolean {
  const first = [header, ...rows.map(({ cells }) => cells)].map(([cell = ""]) =>
    cell.split(/[:=]/, 1).join(""),
  );
  return REQUIRED.filter((field) => first.some((name) => isFieldName(name, field))).length > 1;
}

function adviceWithoutMap(header: readonly string[], missing: readonly Field[]): string {
  const reversed = header.findIndex(isReversed);
  if (reversed !== -1)
    return `The bytes of the column ${namesOf(header)[reversed]} are reversed: write them in the usual order, and call the column ${missing[0]}.`;
  if (missing.includes("app_key") && header.includes("dc_usage"))
    return "Make the file again with --reveal, which includes the keys, or add it to the file.";
  if (!isHeader(header))
    return `Write the names of the columns in the first line, such as ${NAMES}, with commas between the cells.`;
  return `Add ${missing.length === 1 ? "it" : "them"} to the file.`;
}

function adviceOf(fitting: number, missing: number): string {
  if (fitting === 1) return "The values of one column fit: map it with";
  return `The values of these columns fit: map one ${missing === 1 ? "of them" : "for each field"} with`;
}

/** Finds the columns whose values are those of a missing field. A dev_eui is in one row only. */
function fittingColumns(
  header: readonly string[],
  rows: readonly SheetRow[],
  { dev_eui, app_eui, app_key }: Columns,
  missing: readonly Field[],
): { field: Field; column: number }[] {
  // A column that counts as the name, such as Serial, may hold EUIs.
  const taken = new Set([...dev_eui, ...app_eui, ...app_key]);
  const fits = (field: Field, column: number): boolean => {
    const values = valuesOf(rows, column).map((cell) => (ID.test(cell) ? cell : digitsOf(cell)));
    const isUnique = field !== "dev_eui" || new Set(values).size === values.length;
    return values.length > 0 && isUnique && values.every((value) => DIGITS[field]?.test(value));
  };
  return missing.flatMap((field) =>
    header.flatMap((name, column) =>
      !taken.has(column) && name !== "" && !isOfOthers(name) && fits(field, column)
        ? [{ field, column }]
        : [],
    ),
  );
}

/** An ID has as many digits as a key. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function valuesOf(rows: readonly SheetRow[], column: number): string[] {
  return rows.map(({ cells }) => cells[column] ?? "").filter((cell) => cell !== "");
}

/** Tells whether a column is that of a session or a gateway, or has bytes in reverse. */
function isOfOthers(name: string): boolean {
  return isOfSession(name) || isReversed(name) || /gateway/i.test(name);
}

/** Rows that show what a column holds. */
const SHOWN = 1_000;

async function firstRows({ rows }: Sheet): Promise<SheetRow[]> {
  const first: SheetRow[] = [];
  for await (const row of rows()) if (first.push(row) === SHOWN) break;
  return first;
}
