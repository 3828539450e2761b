import { digitsOf } from "./cells.ts";
import { isOfSession, mapEntry, namesOf, type Columns, type Field } from "./columns.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

/** The digits of the fields that are recognized by their values. */
const DIGITS: Partial<Record<Field, RegExp>> = {
  dev_eui: /^[0-9a-f]{16}$/i,
  app_eui: /^[0-9a-f]{16}$/i,
  app_key: /^[0-9a-f]{32}$/i,
};

/** Says which fields a file does not have, and which of its columns may hold them. */
export async function describeMissing(
  sheet: Sheet,
  columns: Columns,
  missing: readonly Field[],
): Promise<string> {
  const { file, header } = sheet;
  const rows = await firstRows(sheet);
  const fitting = fittingColumns(header, rows, columns, missing);
  const hasSession = header.some((name, at) => isOfSession(name) && valuesOf(rows, at).length > 0);
  if (
    missing.includes("app_key") &&
    hasSession &&
    !fitting.some(({ field }) => field === "app_key")
  )
    return `${file} is for ABP devices. The console accepts OTAA devices, which need an AppKey: ask the vendor for the AppKeys, and add them as a column app_key. The session keys of ABP cannot replace them.`;
  const entries = fitting.map(({ column, field }) => mapEntry(header, column, field));
  const advice =
    entries.length === 0
      ? `Add ${missing.length === 1 ? "it" : "them"} to the file.`
      : `${adviceOf(entries.length, missing.length)} ${entries.join(", ")}.`;
  const forAll = missing.includes("app_eui")
    ? " If no column has the app_eui, set one for all devices with --app-eui."
    : "";
  return `${file} has no ${missing.join(" or ")} column. ${advice}${forAll} The columns are ${namesOf(header).join(", ")}.`;
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
    const values = valuesOf(rows, column).map(digitsOf);
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

function valuesOf(rows: readonly SheetRow[], column: number): string[] {
  return rows.map(({ cells }) => cells[column] ?? "").filter((cell) => cell !== "");
}

/** Tells whether a column is that of a session or a gateway, or has the bytes in reverse. */
function isOfOthers(name: string): boolean {
  return isOfSession(name) || /gateway|\blsb|little/i.test(name);
}

/** Rows that show what a column holds. */
const SHOWN = 1_000;

async function firstRows({ rows }: Sheet): Promise<SheetRow[]> {
  const first: SheetRow[] = [];
  for await (const row of rows()) if (first.push(row) === SHOWN) break;
  return first;
}
