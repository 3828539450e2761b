import type { NewDevice } from "@fieldmesh/console-client";
import { digitsOf } from "./cells.ts";
import { REQUIRED, type Columns, type Field } from "./columns.ts";
import { readNames } from "./names.ts";
import { firstFilled, readTable } from "./read-table.ts";
import { rowProblems } from "./row-problems.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

/** A device of the file, with its labels by name. */
export interface DeviceRow extends SheetRow {
  readonly device: NewDevice & Readonly<Record<"dev_eui" | "app_eui" | "app_key", string>>;
  readonly labels: readonly string[];
}

/** The devices of a file, which are read as often as needed and not kept. */
export interface DeviceRows {
  readonly sheet: Sheet;
  /** What of the file is not read, for the user. */
  readonly notes: readonly string[];
  readonly rows: () => AsyncGenerator<DeviceRow>;
  /** Lists everything that is wrong with a row. A row with a problem is not sent. */
  readonly problemsOf: (row: DeviceRow) => string[];
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

/** Opens the devices of a file. Values are checked by the rules of the client. */
export async function openDeviceRows(
  opened: Sheet,
  { map, appEui = "", labels = [], observedRules = true }: RowOptions,
): Promise<DeviceRows> {
  const required = appEui === "" ? REQUIRED : (["dev_eui", "app_key"] as const);
  const { sheet, columns, notes } = await readTable(opened, map, required);
  const toDevice = (row: SheetRow): DeviceRow => {
    const valueOf = (field: Field): string => firstFilled(row, columns[field]);
    const dev_eui = digitsOf(valueOf("dev_eui"));
    const config_profile_id = valueOf("config_profile_id");
    const device = {
      name: valueOf("name") || dev_eui,
      dev_eui,
      app_eui: digitsOf(valueOf("app_eui") || appEui),
      app_key: keyOf(row, columns),
      ...(config_profile_id !== "" && { config_profile_id }),
    };
    const own = readNames(valueOf("labels"));
    return { ...row, labels: [...new Set([...own, ...labels])], device };
  };
  return {
    sheet,
    notes,
    async *rows() {
      for await (const row of sheet.rows()) yield toDevice(row);
    },
    problemsOf: (row) => rowProblems(row, sheet, columns, row.device, observedRules),
  };
}

/** Returns the key of a row. A network server writes zeros for an unused key. */
function keyOf({ cells }: SheetRow, { app_key }: Columns): string {
  const keys = app_key.map((column) => digitsOf(cells[column] ?? "")).filter((key) => key !== "");
  return keys.find((key) => !/^0+$/.test(key)) ?? keys[0] ?? "";
}
