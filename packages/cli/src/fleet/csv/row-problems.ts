import type { NewDevice } from "@fieldmesh/console-client";
import { devices } from "@fieldmesh/console-client/endpoints";
import { encodeInput } from "@fieldmesh/http/internal";
import type * as z from "@fieldmesh/core/internal/zod";
import { inWordsOfAShell, OBSERVED_HINT } from "../../shell-words.ts";
import { digitsOf } from "./cells.ts";
import { mapEntry, namesOf, type Columns } from "./columns.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

/** Lists everything that is wrong with a row, so that the user corrects it once. A row with a problem is not sent. */
export function rowProblems(
  row: SheetRow,
  sheet: Sheet,
  columns: Columns,
  device: NewDevice,
  observedRules: boolean,
): string[] {
  return [
    ...cellsProblems(row, sheet),
    ...contradictions(row, sheet, columns),
    ...fieldProblems(device, observedRules),
    ...zeroKeyProblems(device),
  ];
}

/** What the rules of the client find wrong with the EUIs of a device. */
export function euiProblems(
  { dev_eui, app_eui }: Readonly<Record<"dev_eui" | "app_eui", string>>,
  observedRules: boolean,
): string[] {
  const rest = { name: "any", app_eui: app_eui || ANY_EUI, app_key: ANY_EUI + ANY_EUI };
  return fieldProblems({ ...rest, dev_eui }, observedRules);
}

const ANY_EUI = "0123456789ABCDEF";

/** A network server writes zeros for a key that it does not know. */
function zeroKeyProblems({ app_key }: NewDevice): string[] {
  return /^0+$/.test(String(app_key)) ? ["the app_key is all zeros (enter the real key)"] : [];
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
    const filled = columns[field].filter((column) => (cells[column] ?? "") !== "");
    const values = filled.map((column) => digitsOf(cells[column] ?? "").toUpperCase());
    if (new Set(values).size <= 1) return [];
    return [
      `the columns ${filled.map((column) => called[column]).join(" and ")} differ: choose one with ${mapEntry(header, filled[0] ?? 0, field)}`,
    ];
  });
}

/** Checks a device by the rules of the client. */
function fieldProblems(device: NewDevice, observedRules: boolean): string[] {
  const encoded = encodeInput(devices.create.body as z.core.$ZodType, device, observedRules);
  if (!("problems" in encoded)) return [];
  const sentences = encoded.problems.map(({ path, message }) => {
    const said = inWordsOfAShell(message);
    return likelyCause(path, device, said.endsWith(OBSERVED_HINT)) ?? sentenceOf(path, said);
  });
  return [...new Set(sentences)];
}

function sentenceOf(path: string, message: string): string {
  return message.startsWith("must ") ? `${path} ${message}` : `${path}: ${message}`;
}

const KEY_DIGITS = 32;

/** Says what probably happened to a field, where its value shows that. Only an observed rule counts the digits. */
function likelyCause(
  field: string,
  { dev_eui, app_eui, app_key }: NewDevice,
  isObserved: boolean,
): string | undefined {
  if (field === "dev_eui") return causeOfEui(dev_eui);
  if (field === "app_eui" && app_eui === "")
    return "the app_eui is missing: add it, or set one for all devices with --app-eui";
  if (field !== "app_key") return undefined;
  const keyDigits = String(app_key).length;
  if (keyDigits === 0) return "the app_key is missing";
  return isObserved && keyDigits !== KEY_DIGITS
    ? `the app_key has ${keyDigits} digits instead of ${KEY_DIGITS} ${OBSERVED_HINT}`
    : undefined;
}

function causeOfEui(dev_eui: string): string | undefined {
  if (dev_eui === "") return "the dev_eui is missing";
  if (/^\d+(?:[.,]\d+)?E\+\d+$/i.test(dev_eui))
    return "the spreadsheet changed the dev_eui into a number (format the column as text)";
  if (/^[0-9A-F]{10,15}$/i.test(dev_eui))
    return `the dev_eui has ${dev_eui.length} digits instead of 16, leading zeros are lost ${OBSERVED_HINT}`;
  if (/O/i.test(dev_eui) && /^[0-9A-FO]{16}$/i.test(dev_eui))
    return "the dev_eui has a letter O in place of a zero";
  return undefined;
}
