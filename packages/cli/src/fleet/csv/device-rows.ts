import type { FailedResult, NewDevice } from "@fieldmesh/console-client";
import { CliError } from "../../exit-codes.ts";
import { findColumns, REQUIRED, type Columns, type Field } from "./columns.ts";
import { compact, isHexadecimal, readNames, type Sheet, type SheetRow } from "./sheet.ts";

/** A device of the file, before its labels are known by id. */
export interface DeviceRow extends SheetRow {
  readonly device: NewDevice;
  readonly labels: readonly string[];
  /** What is wrong with the row in its file, so that it is not sent. */
  readonly problem?: string | undefined;
}

export interface RowOptions {
  /** Entries of `--map`. */
  readonly map?: readonly string[] | undefined;
  /** For rows without one. */
  readonly appEui?: string | undefined;
  /** Labels that every device gets. */
  readonly labels?: readonly string[] | undefined;
}

/** Reads the devices of a sheet. All checking of values is the client's; what only the file shows is a problem of its row. */
export function readDeviceRows(
  sheet: Sheet,
  { map, appEui = "", labels = [] }: RowOptions,
): DeviceRow[] {
  const columns = columnsOf(sheet, map, appEui === "" ? REQUIRED : ["dev_eui", "app_key"]);
  const lines = new Map<string, number>();
  return sheet.rows.map((row) => {
    const valueOf = (field: Field): string => firstFilled(row, columns[field]);
    const dev_eui = compact(valueOf("dev_eui"));
    const config_profile_id = valueOf("config_profile_id");
    const device = {
      name: valueOf("name") || dev_eui,
      dev_eui,
      app_eui: compact(valueOf("app_eui") || appEui),
      app_key: keyOf(row, columns),
      ...(config_profile_id !== "" && { config_profile_id }),
    };
    return {
      ...row,
      labels: [...new Set([...readNames(valueOf("labels")), ...labels])],
      device,
      problem:
        cellsProblem(row, sheet) ??
        contradiction(row, sheet, columns) ??
        duplicateProblem(row, device, lines),
    };
  });
}

/** A value behind the last column would get lost, such as a second label without quotes. */
function cellsProblem({ cells }: SheetRow, { header, form }: Sheet): string | undefined {
  if (cells.slice(header.length).every((cell) => cell === "")) return undefined;
  return `the row has ${cells.length} cells, and the header ${header.length}: put a cell with ${JSON.stringify(form.delimiter)} in it between quotes`;
}

/** Several columns may hold one field, such as AppEUI and JoinEUI, but not two values. */
function contradiction(
  { cells }: SheetRow,
  { header }: Sheet,
  columns: Columns,
): string | undefined {
  for (const field of ["dev_eui", "app_eui"] as const) {
    const filled = columns[field].filter((column) => (cells[column] ?? "") !== "");
    const values = filled.map((column) => compact(cells[column] ?? "").toUpperCase());
    if (new Set(values).size > 1)
      return `the columns ${filled.map((column) => header[column]).join(" and ")} differ: choose one with --map "${header[filled[0] ?? 0]}=${field}"`;
  }
  return undefined;
}

/** The first row of a device counts, whatever becomes of it: a later one would otherwise replace a row that is to be corrected. */
function duplicateProblem(
  { line }: SheetRow,
  { dev_eui, app_eui, app_key }: Readonly<Record<"dev_eui" | "app_eui" | "app_key", string>>,
  lines: Map<string, number>,
): string | undefined {
  if (!isHexadecimal(dev_eui)) return undefined;
  const device = [dev_eui, app_eui, app_key].join().toUpperCase();
  const first = lines.get(device);
  if (first === undefined) lines.set(device, line);
  return first === undefined
    ? undefined
    : `the same device is in line ${first}: delete one of them`;
}

/** Finds the columns of a sheet, and says what to do where one is missing. */
export function columnsOf(
  { file, header }: Sheet,
  map: readonly string[] | undefined,
  required: readonly Field[],
): Columns {
  if (header.some(isHexadecimal))
    throw new CliError(
      `${file} has no header: write the names of its columns into a first line, such as name,dev_eui,app_eui,app_key.`,
    );
  const columns = findColumns(header, map);
  const missing = required.filter((field) => columns[field].length === 0);
  const [first] = missing;
  if (first === undefined) return columns;
  const advice = first === "app_eui" ? ", or give one for all devices with --app-eui" : "";
  throw new CliError(
    `No column of ${file} looks like ${missing.join(" and ")}. Say which it is, such as --map "${header[0]}=${first}"${advice}. Its columns are ${header.join(", ")}.`,
  );
}

/** Zeros are how a network server writes that a key is not used. */
function keyOf({ cells }: SheetRow, { app_key }: Columns): string {
  const keys = app_key.map((column) => compact(cells[column] ?? ""));
  return keys.find((key) => !/^0*$/.test(key)) ?? "";
}

export function firstFilled({ cells }: SheetRow, columns: readonly number[]): string {
  return columns.map((column) => cells[column] ?? "").find((cell) => cell !== "") ?? "";
}

const KEY_DIGITS = 32;

/** Says of a failure what probably happened to the row; the client has said which rule it breaks. */
export function explain({ device }: DeviceRow, { reason, error }: FailedResult): string {
  const { dev_eui, app_key } = device;
  const keyDigits = String(app_key).length;
  if (reason === "refused") return error;
  if (dev_eui === "") return "the dev_eui is missing";
  // Without its point, which is a separator of an EUI.
  if (/^\d+E\+\d+$/i.test(dev_eui))
    return "the spreadsheet changed the dev_eui into a number: format the column as text";
  if (/^[0-9A-F]{10,15}$/i.test(dev_eui))
    return `the dev_eui has ${dev_eui.length} digits instead of 16: leading zeros are lost`;
  if (/O/i.test(dev_eui) && /^[0-9A-FO]{16}$/i.test(dev_eui))
    return "the dev_eui has a letter O where a zero belongs";
  if (keyDigits === 0) return "the app_key is missing";
  if (error.startsWith("app_key") && keyDigits !== KEY_DIGITS)
    return `the app_key has ${keyDigits} digits instead of ${KEY_DIGITS}`;
  if (error.startsWith("app_eui") && device.app_eui === "")
    return "the app_eui is missing: add it, or give one for all devices with --app-eui";
  return error;
}
