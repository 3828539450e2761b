// Sheets of devices as people have them, and what they mean. Nothing here follows from how the command reads them.
import type { Random } from "../../../sandbox/src/engine/random.ts";

export const FIELDS = ["name", "dev_eui", "app_eui", "app_key"] as const;
export type Field = (typeof FIELDS)[number];
export type Device = Readonly<Record<Field, string>>;
export type Grid = string[][];

export interface Sheet {
  /** What is above the header. */
  readonly lead: readonly string[];
  /** The header and the rows. */
  readonly grid: Grid;
  readonly columns: Readonly<Record<Field, number>>;
  readonly delimiter: string;
  readonly eol: string;
  readonly encoding: "utf-16be" | "utf-16le" | "utf-8";
  /** What is before the first line. */
  readonly mark: string;
  readonly quoted: boolean;
  /** What the rows mean. */
  readonly devices: readonly Device[];
}

const HEADERS = {
  name: "name,Name,Device Name,device_name,NAME,Device ID",
  dev_eui: "dev_eui,DevEUI,Device EUI,devEui,DEVEUI,Dev EUI,EUI,DevEUI [hex]",
  app_eui: "app_eui,AppEUI,JoinEUI,join_eui,Application EUI,APPEUI,Join EUI",
  app_key: "app_key,AppKey,Application Key,APPKEY,App Key,appKey",
};
/** Columns that no device needs, with a value of each row. */
const OTHERS = [
  "Colour,red,blue,",
  "Qty,1",
  "Delivered,2025-03-01,2025-03-12",
  "Remark,spare,2-3,",
];
const LEADS = ["", "", "", "Delivery note 2025-114\n", "# made by hand\n", "sep=\n", "\n"];
/** The last two have decimal digits only. */
const PREFIXES =
  "A84041 24E124 70B3D52DD 0004A30B 0018B2 647FDA AC1F09 A81758FF F3C2D1 5 2476250 0250250";
const APP_EUIS =
  "70B3D57ED0010001 A840410000000101 24E124C0002A0001 0000000000000001 0000000000000000";
/** How the digits of a column are written. */
const WRITINGS = [
  (digits: string) => digits,
  (digits: string) => digits.toLowerCase(),
  (digits: string) => digits.replaceAll(/..(?!$)/g, "$&-"),
  (digits: string) => digits.toLowerCase().replaceAll(/..(?!$)/g, "$&:"),
  (digits: string) => digits.replaceAll(/..(?!$)/g, "$& "),
  (digits: string) => digits.replaceAll(/.{4}(?!$)/g, "$&-"),
  (digits: string) => `0x${digits}`,
  (digits: string) => `="${digits}"`,
  (digits: string) => `'${digits}`,
  (digits: string) => ` ${digits}\u00A0`,
  (digits: string) => (digits.length === 16 ? `eui-${digits.toLowerCase()}` : digits),
];
const NAMES = [
  (index: number) => `Tank ${index}`,
  (index: number) => `Z\u00E4hler ${index}`,
  (index: number) => `Pump ${index}, "old"; upper`,
  (index: number) => `${6_136_123_456_780_013 + index * 7}`,
  (index: number) => `00${index}`,
  (index: number) => `${index}-3`,
  (index: number) => `${index}E15`,
];

export const pick = <T>(random: Random, list: readonly T[]): T => random.pick(list as [T]);
const words = (random: Random, list: string): string => pick(random, list.split(/[,\n ]/));

export function goodSheet(random: Random): Sheet {
  const devices = goodDevices(random);
  const order = FIELDS.toSorted(() => random.next() - 0.5);
  const others = OTHERS.filter(() => random.next() < 0.3).map((each) => each.split(","));
  const writings = order.map((field) => (field === "name" ? String : pick(random, WRITINGS)));
  const delimiter = pick(random, [",", ",", ";", "\t", "|"]);
  const names = order.map((field) => pick(random, HEADERS[field].split(",")));
  const rows = devices.map((device) => [
    ...order.map((field, at) => writings[at]!(device[field])),
    ...others.map(([, ...values]) => pick(random, values)),
  ]);
  const encoding = pick(random, ["utf-8", "utf-8", "utf-8", "utf-16le", "utf-16be"] as const);
  return {
    lead: pick(random, LEADS).replace("=", `=${delimiter}`).split("\n").slice(0, -1),
    grid: [[...names, ...others.map(([name = ""]) => name)], ...rows],
    columns: Object.fromEntries(order.map((field, at) => [field, at])) as Sheet["columns"],
    delimiter,
    eol: pick(random, ["\n", "\r\n"]),
    encoding,
    mark: pick(random, ["", "\uFEFF"]),
    quoted: random.next() < 0.2,
    devices,
  };
}

function goodDevices(random: Random): Device[] {
  const decimals = (count: number): string =>
    Array.from({ length: count }, () => random.int(0, 9)).join("");
  const prefix = words(random, PREFIXES);
  const decimal = /^\d{7}/.test(prefix);
  const tail = 16 - prefix.length;
  const [first, step] = [random.int(0, 9_999_999), pick(random, [0, 1, 1, 17])];
  const devEui = (index: number): string => {
    const counted = (first + index * step).toString(decimal ? 10 : 16).toUpperCase();
    if (step > 0) return prefix + counted.padStart(tail, "0");
    // Some look like numbers, in the midst of others.
    const forms = [`${decimals(13)}E${decimals(2)}`, decimals(16)];
    return random.next() < 0.2
      ? pick(random, forms)
      : prefix + (decimal ? decimals(tail) : random.hex(tail));
  };
  const [common, shared] = [words(random, APP_EUIS), random.hex(26)];
  const own = pick(random, ["same", "same", "same", "each", "dev_eui"]);
  const keys = pick(random, ["random", "random", "random", "same", "counted", "decimal"]);
  const nameOf = pick(random, NAMES);
  const devices = Array.from({ length: random.int(4, 12) }, (_, index): Device => {
    const dev_eui = devEui(index);
    const app_eui = { same: common, each: `70B3D57ED0${random.hex(6)}`, dev_eui }[own]!;
    const counted =
      shared + (0x10_00_00 + (keys === "same" ? 0 : index)).toString(16).toUpperCase();
    const app_key =
      { random: random.hex(32), decimal: decimals(16) + decimals(16) }[keys] ?? counted;
    return { name: nameOf(index + 1), dev_eui, app_eui, app_key };
  });
  // A reader could not tell this sheet from a rounded one. And an EUI or a key that occurs twice would be no good sheet.
  const euis = devices.map(({ dev_eui }) => dev_eui);
  return areRounded(euis) || new Set(euis).size < euis.length ? goodDevices(random) : devices;
}

/** Whether all decimal values of a column have lost what is behind the fifteenth digit. */
export function areRounded(values: readonly string[]): boolean {
  const decimals = values.filter((each) => /^[1-9]\d{15,}$/.test(each));
  return decimals.length > 0 && decimals.every((each) => each.endsWith("0"));
}

export function bytesOf({ lead, grid, delimiter, eol, quoted, mark, encoding }: Sheet): Buffer {
  const write = (cell: string): string => {
    const needed =
      quoted || (!cell.startsWith('="') && [delimiter, '"'].some((each) => cell.includes(each)));
    return needed ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  const lines = [...lead, ...grid.map((row) => row.map(write).join(delimiter)), ""];
  const text = mark + lines.join(eol);
  if (encoding === "utf-8") return Buffer.from(text);
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "utf-16be" ? bytes.swap16() : bytes;
}
