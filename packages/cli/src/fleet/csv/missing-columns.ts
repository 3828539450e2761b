import { digitsOf, isEui, isId, isKey } from "./cells.ts";
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
const HAS_DIGITS: Partial<Record<Field, (digits: string) => boolean>> = {
  dev_eui: isEui,
  app_eui: isEui,
  app_key: isKey,
};

/** Says which fields a file does not have, and what to do. With `isUnnamed`, its first line is a device. */
export async function describeMissing(
  sheet: Sheet,
  columns: Columns,
  missing: readonly Field[],
  isUnnamed: boolean,
): Promise<string> {
  const { file, form } = sheet;
  const header = isUnnamed ? sheet.header.map((_, at) => `column ${at + 1}`) : sheet.header;
  const rows = await firstRows(sheet);
  const names = NAMES.join(form.delimiter);
  if (hasFieldsInLines(header, rows))
    return `${file} has the names of its fields in the first column. Write them in the first line, such as ${names}, and each device in a line below.`;
  const fitting = fittingColumns(header, rows, columns, missing);
  const advice = adviceOf(header, columns, fitting, missing);
  if (isUnnamed)
    return `${file} has no header: write the names of its columns in the first line, such as ${names}, or map them by their numbers. ${advice}`.trimEnd();
  const hasSession = header.some((name, at) => isOfSession(name) && valuesOf(rows, at).length > 0);
  const hasKey = !missing.includes("app_key") || fitting.some(({ field }) => field === "app_key");
  if (hasSession && !hasKey)
    return `${file} is for ABP devices. The console accepts OTAA devices, which need an AppKey: ask the vendor for the AppKeys, and add them as a column app_key. The session keys of ABP cannot replace them.`;
  const forAll = missing.includes("app_eui")
    ? " If no column has the app_eui, set one for all devices with --app-eui."
    : "";
  return `${file} has no ${missing.join(" or ")} column. ${advice || adviceWithoutMap(sheet, missing)}${forAll} The columns are ${namesOf(header).join(", ")}.`;
}

const NAMES = ["name", "dev_eui", "app_eui", "app_key"];

/** Tells whether each line has one field, such as `DevEUI: 0004…`, so that a column would be a device. */
function hasFieldsInLines(header: readonly string[], rows: readonly SheetRow[]): boolean {
  const first = [header, ...rows.map(({ cells }) => cells)].map(([cell = ""]) =>
    cell.split(/[:=]/, 1).join(""),
  );
  return REQUIRED.filter((field) => first.some((name) => isFieldName(name, field))).length > 1;
}

function adviceWithoutMap({ header, form }: Sheet, missing: readonly Field[]): string {
  const reversed = header.findIndex(isReversed);
  if (reversed !== -1)
    return `The bytes of the column ${namesOf(header)[reversed]} are reversed: write them in the usual order, and call the column ${missing[0]}.`;
  if (missing.includes("app_key") && header.includes("dc_usage"))
    return "Make the file again with --reveal, which includes the keys, or add it to the file.";
  if (!isHeader(header))
    return `Write the names of the columns in the first line, such as ${NAMES.join(form.delimiter)}, with ${DELIMITERS[form.delimiter] ?? "the same separator"} between the cells.`;
  return `Add ${missing.length === 1 ? "it" : "them"} to the file.`;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "vertical bars",
};

/** Says which entries of `--map` the values suggest: all at once, if they leave one choice. */
function adviceOf(
  header: readonly string[],
  { chosen, ...columns }: Columns,
  fitting: readonly Fitting[],
  missing: readonly Field[],
): string {
  const left = withoutTaken(fitting);
  const entry = ({ column, field }: Fitting): string => mapEntry(header, column, field);
  if (left.length === 0) return "";
  const choices = [left.map(({ field }) => field), left.map(({ column }) => column)];
  if (choices.some((each) => new Set<unknown>(each).size < left.length))
    return `The values of these columns fit: map one ${missing.length === 1 ? "of them" : "for each field"} with ${left.map(entry).join(", ")}.`;
  const typed = REQUIRED.flatMap((field) =>
    columns[field].filter((column) => chosen.has(column)).map((column) => ({ field, column })),
  );
  const all = [...typed, ...left].map(entry).join(" ");
  const which = left.length === 1 ? "one column fit: map it" : "these columns fit: map them";
  const used = new Set([...typed, ...left].map(({ column }) => column));
  return `The values of ${which} with ${all}.${adviceOfName(header, columns.name, used)}`;
}

/** Says how devices are called, if the names of the columns do not say it. */
function adviceOfName(
  header: readonly string[],
  names: readonly number[],
  used: ReadonlySet<number>,
): string {
  const column = header.findIndex((_, at) => !used.has(at));
  if (names.length > 0 || column === -1 || isHeader(header)) return "";
  return ` Devices are called by their dev_eui, unless you map a name, such as ${mapEntry(header, column, "name")}.`;
}

/** Leaves out a column for a field if another field can only be that column. */
function withoutTaken(fitting: readonly Fitting[]): readonly Fitting[] {
  const isOnly = ({ field }: Fitting): boolean =>
    fitting.filter((each) => each.field === field).length === 1;
  const left = fitting.filter(
    (each) =>
      isOnly(each) || !fitting.some((other) => other.column === each.column && isOnly(other)),
  );
  return left.length === fitting.length ? fitting : withoutTaken(left);
}

/** A column whose values are those of a field. */
interface Fitting {
  readonly field: Field;
  readonly column: number;
}

/** Finds the columns whose values are those of a missing field. A dev_eui is in one row only. */
function fittingColumns(
  header: readonly string[],
  rows: readonly SheetRow[],
  { dev_eui, app_eui, app_key }: Columns,
  missing: readonly Field[],
): Fitting[] {
  // A column that counts as the name, such as Serial, may hold EUIs.
  const taken = new Set([...dev_eui, ...app_eui, ...app_key]);
  const fits = (field: Field, column: number): boolean => {
    const values = valuesOf(rows, column).map((cell) => (isId(cell) ? cell : digitsOf(cell)));
    const isUnique = field !== "dev_eui" || new Set(values).size === values.length;
    const good = values.filter((value) => HAS_DIGITS[field]?.(value));
    // Some of them may be damaged.
    return isUnique && good.length > 0 && 2 * good.length >= values.length;
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
