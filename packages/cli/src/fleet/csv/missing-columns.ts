import { digitsOf } from "./cells.ts";
import { mapEntry, namesOf, type Columns, type Field } from "./columns.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

/** The digits of the fields that are recognized by their values. */
const DIGITS: Partial<Record<Field, RegExp>> = {
  dev_eui: /^[0-9a-f]{16}$/i,
  app_eui: /^[0-9a-f]{16}$/i,
  app_key: /^[0-9a-f]{32}$/i,
};

/** Says which fields a file does not have, and how to map one of its columns to the first of them. */
export async function describeMissing(
  sheet: Sheet,
  columns: Columns,
  missing: readonly Field[],
): Promise<string> {
  const { file, header } = sheet;
  const what = `${file} has no ${missing.join(" or ")} column.`;
  const known = `The columns are ${namesOf(header).join(", ")}.`;
  const example = exampleOf(header, await firstRows(sheet), columns, missing);
  if (missing.length === 1 && missing[0] === "app_eui") {
    const orMap = example === undefined ? "" : `, or map a column, for example ${example}`;
    return `${what} Set one for all devices with --app-eui${orMap}. ${known}`;
  }
  const pronoun = missing.length === 1 ? "it" : "them";
  const map =
    example === undefined
      ? `Add ${pronoun} to the file.`
      : `Map ${pronoun}, for example ${example}.`;
  const forAll = missing.includes("app_eui")
    ? " If no column has the app_eui, set one for all devices with --app-eui."
    : "";
  return `${what} ${map}${forAll} ${known}`;
}

/** Returns an entry of `--map`, preferably for a column whose values have the right number of digits. */
function exampleOf(
  header: readonly string[],
  rows: readonly SheetRow[],
  columns: Columns,
  missing: readonly Field[],
): string | undefined {
  const outside = (taken: readonly number[]): number[] =>
    header.flatMap((name, column) => (taken.includes(column) || name === "" ? [] : [column]));
  const { dev_eui, app_eui, app_key } = columns;
  const fits = (field: Field, column: number): boolean =>
    rows.some(({ cells }) => DIGITS[field]?.test(digitsOf(cells[column] ?? "")) === true);
  // A column that counts as the name, such as Serial, may hold EUIs.
  const fitting = missing.flatMap((field) =>
    outside([...dev_eui, ...app_eui, ...app_key])
      .filter((column) => fits(field, column))
      .map((column) => ({ field, column })),
  );
  const [unknown] = outside(Object.values(columns).flat());
  const { field, column } = fitting[0] ?? { field: missing[0], column: unknown };
  return column === undefined || field === undefined ? undefined : mapEntry(header, column, field);
}

/** Rows that show what a column holds. */
const SHOWN = 1_000;

async function firstRows({ rows }: Sheet): Promise<SheetRow[]> {
  const first: SheetRow[] = [];
  for await (const row of rows()) if (first.push(row) === SHOWN) break;
  return first;
}
