import type { NewDevice } from "@fieldmesh/console-client";
import { REQUIRED, type Columns, type Field } from "./columns.ts";
import { readTable, firstFilled } from "./read-table.ts";
import { rowProblems } from "./row-problems.ts";
import { compact, isHexadecimal, readNames, type Sheet, type SheetRow } from "./sheet.ts";

/** A device of the file, with its labels by name. */
export interface DeviceRow extends SheetRow {
  readonly device: NewDevice;
  readonly labels: readonly string[];
  /** Everything that is wrong with the row. A row with a problem is not sent. */
  readonly problems: readonly string[];
}

export interface RowOptions {
  /** Entries of `--map`. */
  readonly map?: readonly string[] | undefined;
  /** The app_eui of rows without one. */
  readonly appEui?: string | undefined;
  /** Labels that every device gets. */
  readonly labels?: readonly string[] | undefined;
  /** Whether the observed rules are checked. Default: `true`. */
  readonly observedRules?: boolean;
}

/** Reads the devices of a sheet, and returns it with its header. Values are checked by the rules of the client. */
export function readDeviceRows(
  read: Sheet,
  { map, appEui = "", labels = [], observedRules = true }: RowOptions,
): { readonly sheet: Sheet; readonly rows: DeviceRow[] } {
  const required = appEui === "" ? REQUIRED : (["dev_eui", "app_key"] as const);
  const { sheet, columns } = readTable(read, map, required);
  const lines = new Map<string, number>();
  const rows = sheet.rows.map((row) => {
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
      problems: [
        ...rowProblems(row, sheet, columns, device, observedRules),
        ...duplicateProblems(row, device, lines),
      ],
    };
  });
  return { sheet, rows };
}

/** Only the first row of a device counts, even if it fails. Otherwise a later row would replace the one that the user is about to correct. */
function duplicateProblems(
  { line }: SheetRow,
  { dev_eui, app_eui, app_key }: Readonly<Record<"dev_eui" | "app_eui" | "app_key", string>>,
  lines: Map<string, number>,
): string[] {
  if (!isHexadecimal(dev_eui)) return [];
  const device = [dev_eui, app_eui, app_key].join().toUpperCase();
  const first = lines.get(device);
  if (first === undefined) lines.set(device, line);
  return first === undefined ? [] : [`the same device is in line ${first} (delete one of them)`];
}

/** Returns the key of a row. A network server writes zeros for an unused key. */
function keyOf({ cells }: SheetRow, { app_key }: Columns): string {
  const keys = app_key.map((column) => compact(cells[column] ?? "")).filter((key) => key !== "");
  return keys.find((key) => !/^0+$/.test(key)) ?? keys[0] ?? "";
}
