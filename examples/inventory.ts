// Reads the inventory: a CSV file as a spreadsheet exports it.
import { createReadStream } from "node:fs";
import type { FailedResult, NewDevice } from "@fieldmesh/console-client";
import { parse } from "csv-parse";

const KEY_DIGITS = 32;

/** A line of the file, as it stands there. */
export interface InventoryRow {
  readonly line: number;
  readonly columns: Readonly<Record<string, string>>;
  readonly device: NewDevice;
}

/** Reads an inventory; the labels of the file become label ids through `labelIds`. */
export async function readInventory(
  file: string | URL,
  labelIds: ReadonlyMap<string, string> = new Map(),
): Promise<InventoryRow[]> {
  const parser = createReadStream(file).pipe(
    parse({ bom: true, columns: true, skip_empty_lines: true, trim: true, info: true }),
  );
  const rows: InventoryRow[] = [];
  for await (const { record, info } of parser as AsyncIterable<{
    record: Record<string, string>;
    info: { lines: number };
  }>) {
    rows.push({ line: info.lines, columns: record, device: toDevice(record, labelIds) });
  }
  return rows;
}

/** EUIs and keys are often written with separators, as on the label of a device. All other checking is the client's. */
function toDevice(
  columns: Record<string, string>,
  labelIds: ReadonlyMap<string, string>,
): NewDevice {
  const compact = (text = ""): string => text.replaceAll(/[-:\s]/g, "");
  const label = labelIds.get(columns["label"] ?? "");
  return {
    name: columns["name"] ?? "",
    dev_eui: compact(columns["dev_eui"]),
    app_eui: compact(columns["app_eui"]),
    app_key: compact(columns["app_key"]),
    ...(label !== undefined && { label_ids: [label] }),
  };
}

/** Says of a failure what probably happened to the row; the client has said which rule it breaks. */
export function explain({ columns }: InventoryRow, { reason, error }: FailedResult): string {
  const eui = columns["dev_eui"] ?? "";
  const keyDigits = (columns["app_key"] ?? "").replaceAll(/[-:\s]/g, "").length;
  if (reason === "duplicate")
    return "the same device stands in an earlier line: delete one of them";
  if (reason === "refused") return error;
  if (/^\d(\.\d+)?E\+\d+$/i.test(eui))
    return "the spreadsheet took the dev_eui for a number: format the column as text";
  if (/^[0-9A-F]{10,15}$/i.test(eui))
    return `the dev_eui has ${eui.length} digits instead of 16: leading zeros are lost`;
  if (/O/i.test(eui) && /^[0-9A-FO]{16}$/i.test(eui))
    return "the dev_eui has a letter O where a zero belongs";
  if (keyDigits === 0) return "the app_key is missing";
  if (error.startsWith("app_key") && keyDigits !== KEY_DIGITS)
    return `the app_key has ${keyDigits} digits instead of ${KEY_DIGITS}`;
  return error;
}
