// Reads an inventory, a CSV file as a spreadsheet exports it, and imports its devices.
import { createReadStream } from "node:fs";
import type {
  BulkCheckpoint,
  BulkProgress,
  ConsoleClient,
  CreateManyReport,
  FailedResult,
  NewDevice,
} from "@fieldmesh/console-client";
import { type Lock, stateFile, type StateFile, withLock } from "@fieldmesh/sandbox";
import { parse } from "csv-parse";

const KEY_DIGITS = 32;

/** A row of the file. */
export interface InventoryRow {
  readonly line: number;
  readonly columns: Readonly<Record<string, string>>;
  readonly device: NewDevice;
}

/** Reads an inventory. */
export async function readInventory(file: string): Promise<InventoryRow[]> {
  const rows: InventoryRow[] = [];
  for await (const row of readRows(file)) rows.push(row);
  return rows;
}

/** Reads an inventory of any size, row by row. */
export async function* readRows(file: string): AsyncGenerator<InventoryRow, void, undefined> {
  const parser = createReadStream(file).pipe(
    parse({ bom: true, columns: true, skip_empty_lines: true, trim: true, info: true }),
  );
  for await (const { record, info } of parser as AsyncIterable<{
    record: Record<string, string>;
    info: { lines: number };
  }>) {
    yield { line: info.lines, columns: record, device: toDevice(record) };
  }
}

/** All processes are on one machine, so a killed one is noticed sooner than by default. In milliseconds. */
const LOCK_EXPIRES = 3_000;

/** Imports devices. `file` holds how far the import is: after a kill, the same call resumes. */
export async function importDevices(
  client: ConsoleClient,
  devices: readonly NewDevice[],
  file: string,
  onProgress: (progress: BulkProgress) => void,
): Promise<CreateManyReport> {
  return await withLock(
    file,
    async (lock) => {
      const state = importState(file, lock);
      return await client.devices.createMany(devices, {
        chunkSize: 50,
        concurrency: 1,
        settleTime: 500,
        // After a kill, the next run waits for twice as long, and 10 s.
        timeout: 2_000,
        checkpoint: await state.read(),
        onCheckpoint: state.write,
        onProgress,
        signal: lock.signal,
      });
    },
    { expires: LOCK_EXPIRES },
  );
}

/** Opens the checkpoint of an import. */
export function importState(file: string, lock?: Lock): StateFile<BulkCheckpoint> {
  return stateFile<BulkCheckpoint>(file, { kind: "an import", lock });
}

/** EUIs and keys often have separators, as on the label of a device. The client checks everything else. */
function toDevice(columns: Record<string, string>): NewDevice {
  const compact = (value = ""): string => value.replaceAll(/[-:\s]/g, "");
  return {
    name: columns["name"] ?? "",
    dev_eui: compact(columns["dev_eui"]),
    app_eui: compact(columns["app_eui"]),
    app_key: compact(columns["app_key"]),
  };
}

/** Identifies a device by its EUIs, as two lists may write them. */
export function keyOf({ dev_eui, app_eui }: { dev_eui: string; app_eui: string }): string {
  return `${dev_eui}${app_eui}`.toUpperCase();
}

/** Says what probably happened to a row; the client has named the rule that the row breaks. */
export function explain({ columns }: InventoryRow, { reason, error }: FailedResult): string {
  const eui = columns["dev_eui"] ?? "";
  const keyDigits = (columns["app_key"] ?? "").replaceAll(/[-:\s]/g, "").length;
  if (reason === "duplicate") return "the same device is in an earlier line: delete one of them";
  if (reason === "rejected") return error;
  if (/^\d(\.\d+)?E\+\d+$/i.test(eui))
    return "the dev_eui became a number, and lost digits: export it again from its source, as text";
  if (/^[0-9A-F]{10,15}$/i.test(eui))
    return `the dev_eui has ${eui.length} digits instead of 16: leading zeros are lost`;
  if (/O/i.test(eui) && /^[0-9A-FO]{16}$/i.test(eui))
    return "the dev_eui has a letter O where a zero belongs";
  if (keyDigits === 0) return "the app_key is missing";
  if (error.startsWith("app_key") && keyDigits !== KEY_DIGITS)
    return `the app_key has ${keyDigits} digits instead of ${KEY_DIGITS}`;
  return error;
}
