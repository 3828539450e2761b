import type { NewDevice } from "@fieldmesh/console-client";
import { devices } from "@fieldmesh/console-client/endpoints";
import { encodeInput } from "@fieldmesh/http/internal";
import type * as z from "@fieldmesh/core/internal/zod";
import { inWordsOfAShell } from "../../shell-words.ts";
import { digitsOf } from "./cells.ts";
import { decided, mapEntry, namesOf, type Columns } from "./columns.ts";
import { isOfSession } from "./field-names.ts";
import { damageOf, type DigitsField } from "./damage.ts";
import { damageOfName } from "./name-damage.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

/** A row, and the device that it holds. */
export interface CheckedRow extends SheetRow {
  readonly device: NewDevice;
  /** The cells of the fields that are digits, as the file has them. */
  readonly written: Readonly<Record<DigitsField, string>>;
}

/** Lists everything that is wrong with a row, so that the user corrects it once. A row with a problem is not sent. */
export function rowProblems(
  row: CheckedRow,
  sheet: Sheet,
  columns: Columns,
  observedRules: boolean,
): string[] {
  const ofFields = fieldProblems(row.device, row.written, observedRules);
  const isAbp = hasOnlySessionKeys(row, sheet);
  return [
    ...cellsProblems(row, sheet),
    ...contradictions(row, sheet, columns),
    ...ofFields.filter((problem) => !isAbp || !OF_OTAA.test(problem)),
    ...(isAbp ? [ABP] : []),
    ...sessionKeys(row, sheet),
    ...nameProblems(row.device),
  ];
}

/** A device without a name is called by its dev_eui, whose damage has a problem of its own. */
function nameProblems({ name, dev_eui }: NewDevice): string[] {
  const damage = name === dev_eui ? undefined : damageOfName(name);
  return damage === undefined ? [] : [damage];
}

/** What is wrong with the cells of the EUIs of a device. */
export function euiProblems(
  written: Readonly<Record<"dev_eui" | "app_eui", string>>,
  observedRules: boolean,
): string[] {
  const dev_eui = digitsOf(written.dev_eui);
  const app_eui = digitsOf(written.app_eui) || ANY_EUI;
  const device = { name: "any", dev_eui, app_eui, app_key: ANY_EUI + ANY_EUI };
  return fieldProblems(device, written, observedRules);
}

const ANY_EUI = "0123456789ABCDEF";

/** What an ABP device lacks, without a mistake of the user. */
const OF_OTAA = /^the app_(?:eui|key) is missing/;
const ABP =
  "the device has session keys, as for ABP, and no AppKey: the console accepts OTAA devices, so ask the vendor for the AppKey";

function hasOnlySessionKeys({ cells, device }: CheckedRow, { header }: Sheet): boolean {
  if (String(device.app_key) !== "") return false;
  const has = (isName: (name: string) => boolean, value: RegExp): boolean =>
    header.some((name, column) => isName(name) && value.test(digitsOf(cells[column] ?? "")));
  const joins = has((name) => /supports_?join$/i.test(name), /^true$/i);
  return !joins && has(isOfSession, /^(?!0+$)[\da-f]{32}$/i);
}

/** An ABP device has only session keys, which a network server makes again at each join. */
function sessionKeys({ cells, device }: CheckedRow, { header }: Sheet): string[] {
  const key = String(device.app_key).toUpperCase();
  const at = header.findIndex(
    (name, column) =>
      isOfSession(name) && key !== "" && digitsOf(cells[column] ?? "").toUpperCase() === key,
  );
  if (at === -1) return [];
  return [
    `the app_key is the session key of ${namesOf(header)[at]}: the console takes OTAA devices, and needs their AppKey`,
  ];
}

/** A value beyond the last column would get lost, such as a second label without quotes. */
function cellsProblems({ cells }: SheetRow, { header, form }: Sheet): string[] {
  if (cells.slice(header.length).every((cell) => cell === "")) return [];
  return [
    `the row has ${cells.length} cells, and the header has ${header.length}: put quotes around a cell that contains ${JSON.stringify(form.delimiter)}`,
  ];
}

/** Several columns may hold one field, such as AppEUI and JoinEUI, but not two values. */
function contradictions({ cells }: SheetRow, { header }: Sheet, columns: Columns): string[] {
  const called = namesOf(header);
  return (["dev_eui", "app_eui"] as const).flatMap((field) => {
    const all = columns[field].filter((column) => (cells[column] ?? "") !== "");
    const filled = decided(all, columns);
    const values = filled.map((column) => digitsOf(cells[column] ?? "").toUpperCase());
    if (new Set(values).size <= 1) return [];
    return [
      `the columns ${filled.map((column) => called[column]).join(" and ")} differ: choose one with ${mapEntry(header, filled[0] ?? 0, field)}`,
    ];
  });
}

/** Checks a device by the rules of the client. What happened to a value explains more than the rule that it breaks. */
function fieldProblems(
  device: NewDevice,
  written: Readonly<Partial<Record<DigitsField, string>>>,
  observedRules: boolean,
): string[] {
  const damage = new Map(
    (["dev_eui", "app_eui", "app_key"] as const).flatMap((field) => {
      const found = damageOf(field, written[field] ?? "", observedRules);
      return found === undefined ? [] : [[field as string, found]];
    }),
  );
  const encoded = encodeInput(devices.create.body as z.core.$ZodType, device, observedRules);
  const broken = "problems" in encoded ? encoded.problems : [];
  const rules = broken
    // A device without a name has that of its dev_eui.
    .filter(({ path }) => !damage.has(path) && (path !== "name" || device.name !== ""))
    .map(({ path, message }) => missing(path, device) ?? sentenceOf(path, message));
  return [...new Set([...rules, ...damage.values()])];
}

function sentenceOf(path: string, message: string): string {
  const said = inWordsOfAShell(message);
  return said.startsWith("must ") ? `${path} ${said}` : `${path}: ${said}`;
}

function missing(field: string, device: NewDevice): string | undefined {
  if (!["dev_eui", "app_eui", "app_key"].includes(field)) return undefined;
  if (String(device[field as DigitsField]) !== "") return undefined;
  const forAll = field === "app_eui" ? ": add it, or set one for all devices with --app-eui" : "";
  return `the ${field} is missing${forAll}`;
}
