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
    "devid",
    "sn",
    "serialnumber",
    "serial",
    "nombre",
    "nom",
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
    "rootkeysnwkkeykey",
  ],
  labels: ["labels", "label", "groups", "group", "labelids", "labelid"],
  config_profile_id: ["configprofileid", "configprofile"],
} as const;

/** The required fields of a device. */
export const REQUIRED = ["dev_eui", "app_eui", "app_key"] as const;
const FIELDS = Object.keys(NAMES) as Field[];

/** The positions of the columns of each field, the best first. */
export type Columns = Readonly<Record<Field, readonly number[]>>;

/** Finds the columns of each field. `mapping` has entries such as `DevEUI=dev_eui` and `4=dev_eui`, which have priority. */
export function findColumns(header: readonly string[], mapping: readonly string[] = []): Columns {
  const mapped = mapping.map((entry, at) => {
    const which = mapping.length === 1 ? "--map" : `Entry ${at + 1} of --map`;
    return readEntry(entry, header, which);
  });
  const columnsOf = (field: Field): number[] => {
    const chosen = mapped.filter((each) => each.field === field).map(({ column }) => column);
    if (chosen.length > 0) return chosen;
    const taken = new Set(mapped.map(({ column }) => column));
    const columnsOfNames = (names: readonly string[], isName: IsName): number[] =>
      names.flatMap((name) => {
        const found = header.flatMap((each, column) =>
          isName(each, name) && !taken.has(column) ? [column] : [],
        );
        if (found.length > 1) throw severalColumns(field, found, header);
        return found;
      });
    const exact = columnsOfNames(NAMES[field], (each, name) => bare(each) === name);
    const ending = columnsOfNames(distinctNames(field), (each, name) => ends(each).includes(name));
    return [...new Set([...exact, ...ending])];
  };
  return Object.fromEntries(FIELDS.map((field) => [field, columnsOf(field)])) as unknown as Columns;
}

type IsName = (column: string, name: string) => boolean;

/** Tells whether a column has a name of a field. */
export function isFieldName(column: string, field: Field): boolean {
  return (
    namesOfField(field).includes(bare(column)) ||
    distinctNames(field).some((name) => ends(column).includes(name))
  );
}

/** Tells whether a column holds session keys or addresses, which a join replaces: no field is one of them. */
export function isOfSession(column: string): boolean {
  return SESSION.test(bare(column));
}

const SESSION =
  /(?:nwkskey|appskey|(?:network|nwk|application|app)session(?:integrity)?key|nwksintkey|nwksenckey|devaddr|deviceaddress)(?:key|hex)?$/;

/** Tells whether a column says that its bytes are in reverse, which is another value. */
export function isReversed(column: string): boolean {
  return /\blsb|little.?endian/i.test(column);
}

/** The names that tell what a column holds behind any prefix, such as in `PROPERTY:AppKey` and `end_device.ids.dev_eui`. */
function distinctNames(field: Field): readonly string[] {
  return namesOfField(field).filter((name) =>
    /eui.|.eui|(?:app|nwk|application|network)key/.test(name),
  );
}

function namesOfField(field: Field): readonly string[] {
  return NAMES[field];
}

/** Returns the normalized ends of a name with prefixes, such as `b.c` and `c` of `a.b.c`, and the name without brackets. */
function ends(column: string): string[] {
  const parts = column.split(/[.:]/);
  const outside = isReversed(column) ? column : column.replaceAll(/[([].*?[)\]]/g, "");
  const within = parts.slice(1).map((_, at) => parts.slice(at + 1).join("."));
  return [...(outside === column ? [] : [outside]), ...within].map(bare);
}

/** Tells whether a line has the name of a column. Any other line may hold keys. */
export function isHeader(line: readonly string[]): boolean {
  return line.some(
    (cell) =>
      KNOWN.has(bare(cell)) ||
      isOfSession(cell) ||
      FIELDS.some((field) => isFieldName(cell, field)),
  );
}

/**
 * Returns how messages call the columns of a file: by their names, and `column 4` where the first line may not be shown. This is
 * the only way of a cell of the first line into a message. Below it, only names and EUIs are shown.
 */
export function namesOf(header: readonly string[]): readonly string[] {
  const isShown = isHeader(header);
  return header.map((cell, at) => (isShown && isTitle(cell) ? cell : `column ${at + 1}`));
}

/** Returns an entry of `--map` as it is typed. */
export function mapEntry(header: readonly string[], column: number, field: Field): string {
  const name = namesOf(header)[column]?.replace(/^column (?=\d+$)/, "");
  return `--map "${name}=${field}"`;
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

/** Words without what a shell obeys, and without what may be a key. */
function isTitle(cell: string): boolean {
  if (KNOWN.has(bare(cell)) && WORDS.test(cell)) return true;
  return WORDS.test(cell) && !cell.split(/[^a-z\d]/i).some(isLikeKey);
}

/** A run of letters and digits, eight and more, may be a part of a key. */
function isLikeKey(run: string): boolean {
  return run.length >= 8 && /\d/.test(run);
}

const WORDS = /^[\p{L}\p{N} _.:/()#-]{1,40}$/u;

function severalColumns(
  field: Field,
  columns: readonly number[],
  header: readonly string[],
): CliError {
  const called = namesOf(header);
  const names = columns.map((column) => JSON.stringify(called[column]));
  const advice =
    new Set(names).size < names.length
      ? "rename one of them"
      : `choose one with --map, such as ${mapEntry(header, columns[0] ?? 0, field)}`;
  return new CliError(`The columns ${names.join(" and ")} both look like ${field}: ${advice}.`);
}

/** Normalizes a name: `Device EUI`, `device-eui` and `LoRaWAN DeviceEUI` are the same. */
function bare(header: string): string {
  return header
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/^(lorawan|lora|otaa)(?=.)/, "");
}

/** What the user typed is not quoted, because it may be a key. */
function readEntry(
  entry: string,
  header: readonly string[],
  which: string,
): { field: Field; column: number } {
  const at = entry.lastIndexOf("=");
  if (at < 1)
    throw new CliError(
      `${which} is not of the form "column of the file=field", such as "DevEUI=dev_eui" or "2=dev_eui".`,
    );
  const [name, field] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
  if (!(FIELDS as string[]).includes(field))
    throw new CliError(
      `${which} names no field. ${suggest(field, FIELDS)}The fields are ${FIELDS.join(", ")}.`,
    );
  const column = columnOf(name, header);
  if (column === -1)
    throw new CliError(
      `${which} names a column that the file does not have. ${suggest(name, namesOf(header))}`.trimEnd(),
    );
  return { field: field as Field, column };
}

/** A number is the position of a column, counted from 1. */
function columnOf(name: string, header: readonly string[]): number {
  const position = /^\d{1,5}$/.test(name) ? Number(name) : 0;
  if (position >= 1 && position <= header.length) return position - 1;
  return header.findIndex((each) => each.trim().toLowerCase() === name.toLowerCase());
}

function suggest(name: string, names: readonly string[]): string {
  const found = nearest(name, names);
  return found === undefined ? "" : `Did you mean ${JSON.stringify(found)}? `;
}
