import type { NewDevice } from "@fieldmesh/console-client";
import { digitsOf } from "./cells.ts";
import type { Columns } from "./columns.ts";
import { REQUIRED, type Field } from "./field-names.ts";
import type { Decisions } from "./doubts.ts";
import { readNames } from "./names.ts";
import { firstFilled, readTable } from "./read-table.ts";
import { rowProblems, type CheckedRow } from "./row-problems.ts";
import type { Sheet, SheetRow } from "./sheet.ts";
import { usualOrder } from "./vendors.ts";

/** A device of the file, with its labels by name. */
export interface DeviceRow extends CheckedRow {
  readonly device: NewDevice & Readonly<Record<"dev_eui" | "app_eui" | "app_key", string>>;
  readonly labels: readonly string[];
}

/** The devices of a file, which are read as often as needed and not kept. */
export interface DeviceRows {
  readonly sheet: Sheet;
  /** As of the table. */
  readonly notes: () => readonly string[];
  readonly columns: Columns;
  readonly rows: () => AsyncGenerator<DeviceRow>;
  /** Lists everything that is wrong with a row. A row with a problem is not sent. */
  readonly problemsOf: (row: DeviceRow) => string[];
}

export interface RowOptions extends Decisions {
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
  { map, euis, appEui = "", labels = [], observedRules = true }: RowOptions,
): Promise<DeviceRows> {
  const required = appEui === "" ? REQUIRED : (["dev_eui", "app_key"] as const);
  const { sheet, columns, notes } = await readTable(opened, map, required);
  const toDevice = (row: SheetRow): DeviceRow => {
    const valueOf = (field: Field): string => firstFilled(row, columns[field]);
    const written = {
      dev_eui: valueOf("dev_eui"),
      app_eui: valueOf("app_eui") || appEui,
      app_key: keyOf(row, columns),
    };
    const [dev_eui, app_eui] = [digitsOf(written.dev_eui), digitsOf(written.app_eui)];
    const config_profile_id = valueOf("config_profile_id");
    const device = {
      name: valueOf("name") || dev_eui,
      dev_eui,
      app_eui,
      ...(euis === "reversed" && usualOrder({ dev_eui, app_eui }, valueOf("app_eui") === "")),
      app_key: digitsOf(written.app_key),
      ...(config_profile_id !== "" && { config_profile_id }),
    };
    const own = readNames(valueOf("labels"));
    return { ...row, labels: [...new Set([...own, ...labels])], device, written };
  };
  return {
    sheet,
    notes,
    columns,
    async *rows() {
      for await (const row of sheet.rows()) yield toDevice(row);
    },
    problemsOf: (row) => rowProblems(row, sheet, columns, observedRules),
  };
}

/** Returns the cell of the key of a row. A network server writes zeros for an unused key. */
function keyOf({ cells }: SheetRow, { app_key }: Columns): string {
  const keys = app_key.map((column) => cells[column] ?? "").filter((key) => key !== "");
  return keys.find((key) => !/^0+$/.test(digitsOf(key))) ?? keys[0] ?? "";
}
