import { nearest } from "@fieldmesh/core/internal";
import { CliError } from "../../exit-codes.ts";

/** What a column can hold. */
export type Field = keyof typeof NAMES;

/**
 * The names that network servers and vendors use for columns, without case and separators. If a file has several of them, the first
 * filled one counts: ChirpStack stores the AppKey of a LoRaWAN 1.0.x device in `nwk_key`, with zeros in `app_key`.
 */
const NAMES = {
  name: [
    "name",
    "devicename",
    "enddevicename",
    "nodename",
    "id",
    "deviceid",
    "idsdeviceid",
    "sn",
    "serialnumber",
    "serial",
  ],
  dev_eui: [
    "deveui",
    "eui",
    "deviceeui",
    "idsdeveui",
    "deveuihex",
    "deveui64",
    "eui64",
    "devicedeveui",
    "sndeveui",
    "nodeeui",
  ],
  app_eui: [
    "appeui",
    "joineui",
    "applicationeui",
    "idsjoineui",
    "appeuijoineui",
    "joineuiappeui",
    "appeuihex",
    "joineuihex",
  ],
  app_key: [
    "appkey",
    "applicationkey",
    "rootkeysappkeykey",
    "appkeyhex",
    "devicekeysappkey",
    "keysappkey",
    "key",
    "keys",
    "rootkey",
    "nwkkey",
    "networkkey",
    "devicekeysnwkkey",
    "keysnwkkey",
  ],
  labels: ["labels", "label", "groups", "group"],
  config_profile_id: ["configprofileid", "configprofile"],
} as const;

/** The required fields of a device. */
export const REQUIRED = ["dev_eui", "app_eui", "app_key"] as const;
const FIELDS = Object.keys(NAMES) as Field[];

/** The positions of the columns of each field, the best first. */
export type Columns = Readonly<Record<Field, readonly number[]>>;

/** Finds the columns of each field. `mapping` has entries such as `DevEUI=dev_eui`, which have priority. */
export function findColumns(header: readonly string[], mapping: readonly string[] = []): Columns {
  const mapped = mapping.map((entry) => readEntry(entry, header));
  const columnsOf = (field: Field): number[] => {
    const chosen = mapped.filter((each) => each.field === field).map(({ column }) => column);
    if (chosen.length > 0) return chosen;
    const taken = new Set(mapped.map(({ column }) => column));
    return NAMES[field].flatMap((name) => {
      const found = header.flatMap((each, column) =>
        bare(each) === name && !taken.has(column) ? [column] : [],
      );
      if (found.length > 1) throw severalColumns(field, found, header);
      return found;
    });
  };
  return Object.fromEntries(FIELDS.map((field) => [field, columnsOf(field)])) as unknown as Columns;
}

function severalColumns(
  field: Field,
  columns: readonly number[],
  header: readonly string[],
): CliError {
  const names = columns.map((column) => JSON.stringify(header[column]));
  const advice =
    new Set(names).size < names.length
      ? "rename one of them"
      : `choose one with --map, such as --map ${JSON.stringify(`${header[columns[0] ?? 0]}=${field}`)}`;
  return new CliError(`The columns ${names.join(" and ")} both look like ${field}: ${advice}.`);
}

/** Normalizes a name: `Device EUI`, `device-eui` and `LoRaWAN DeviceEUI` are the same. */
function bare(header: string): string {
  return header
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/^(lorawan|lora|otaa)(?=.)/, "");
}

function readEntry(entry: string, header: readonly string[]): { field: Field; column: number } {
  const at = entry.lastIndexOf("=");
  if (at < 1)
    throw new CliError(
      `--map ${entry} is not of the form "column of the file=field", such as "DevEUI=dev_eui".`,
    );
  const [name, field] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
  if (!(FIELDS as string[]).includes(field))
    throw new CliError(
      `--map: ${field} is not a field. ${suggest(field, FIELDS)}The fields are ${FIELDS.join(", ")}.`,
    );
  const column = header.findIndex((each) => each.trim().toLowerCase() === name.toLowerCase());
  if (column === -1)
    throw new CliError(
      `--map: the file has no column ${JSON.stringify(name)}. ${suggest(name, header)}`.trimEnd(),
    );
  return { field: field as Field, column };
}

function suggest(name: string, names: readonly string[]): string {
  const found = nearest(name, names);
  return found === undefined ? "" : `Did you mean ${JSON.stringify(found)}? `;
}
