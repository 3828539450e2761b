import type { Device } from "@fieldmesh/console-client";
import { revealText, stringifyJson } from "@fieldmesh/core/internal";
import { readAgain } from "@fieldmesh/http/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { writeNames } from "./csv/names.ts";
import { writeSheet } from "./csv/sheet.ts";
import { noteKeys, printWhole, type Write, writeNewFile } from "./files/new-file.ts";
import { readNewPassphrase } from "./files/passphrase.ts";
import { hideValues } from "../clients/hide-values.ts";
import { findLabel } from "./label-ids.ts";
import { textOption } from "./options.ts";
import { eachDevice, hasLabel } from "./runs/read-devices.ts";

const COLUMNS = [
  "name",
  "dev_eui",
  "app_eui",
  "app_key",
  "active",
  "labels",
  "config_profile_id",
  "last_connected",
  "total_packets",
  "dc_usage",
  "id",
] as const;
type Column = (typeof COLUMNS)[number];

/** The rows of a CSV file that are written at once. */
const ROWS = 500;

export async function run(context: Context, input: Input): Promise<void> {
  const file = textOption(input, "out");
  if (file === undefined && input.options["encrypt"] === true)
    throw new CliError("--encrypt writes into a file: name it with --out.");
  // Said when the whole list was written or printed.
  let done = "";
  const work = async (held: Context, write: Write): Promise<void> => {
    done = await exportDevices(held, input, write);
  };
  if (file === undefined) await printWhole(context, (write) => work(context, write));
  else await writeNewFile(context, file, "--out", work);
  context.output.note(done);
}

/** Exports the devices, and returns what was exported. */
async function exportDevices(context: Context, input: Input, write: Write): Promise<string> {
  const { output, reveal, signal } = context;
  const file = textOption(input, "out");
  const isEncrypted = input.options["encrypt"] === true;
  const format =
    textOption(input, "format") ?? formatOf(file) ?? (output.isJson ? "ndjson" : "csv");
  const hasKeys = reveal || isEncrypted;
  const label = textOption(input, "label");
  const label_id = label === undefined ? undefined : await findLabel(context, input, label);
  const isExported = label_id === undefined ? () => true : hasLabel(label_id);
  const client = await context.client("console");
  const columns = COLUMNS.filter((column) => column !== "app_key" || hasKeys);
  const hide = await hideValues("console", ["devices", "list"], { ...context, reveal: hasKeys });
  const passphrase = isEncrypted ? await readNewPassphrase(context, input) : undefined;
  if (reveal && !isEncrypted && file !== undefined) noteKeys(context, file);
  let count = 0;
  async function* shown(): AsyncGenerator<Device> {
    count = 0;
    for await (const device of eachDevice(client, signal)) {
      if (!isExported(device)) continue;
      count++;
      yield hide(device) as Device;
    }
  }
  const writeLines = format === "csv" ? toCsv : toNdjson;
  await readAgain(() => write(writeLines(shown(), columns), passphrase), signal);
  if (file !== undefined && output.isJson)
    await output.record({ file, devices: count, keys: hasKeys });
  const keys = hasKeys
    ? "with their keys"
    : "without their keys: add --encrypt or --reveal for these";
  return `Exported ${count} devices ${keys}.`;
}

function formatOf(file: string | undefined): string | undefined {
  return /\.(csv|ndjson)(\.age)?$/i.exec(file ?? "")?.[1]?.toLowerCase();
}

async function* toCsv(devices: AsyncIterable<Device>, columns: readonly Column[]) {
  let rows: (readonly string[])[] = [columns];
  // A header is written like any other row.
  const write = ([first = [], ...others]: typeof rows): string => writeSheet(first, others);
  for await (const device of devices) {
    const exported = { ...toExported(device), labels: writeNames(namesOfLabels(device)) };
    rows.push(columns.map((column) => String(exported[column] ?? "")));
    if (rows.length < ROWS) continue;
    yield write(rows);
    rows = [];
  }
  if (rows.length > 0) yield write(rows);
}

async function* toNdjson(devices: AsyncIterable<Device>, columns: readonly Column[]) {
  for await (const device of devices) {
    const exported = { ...toExported(device), labels: namesOfLabels(device) };
    yield `${stringifyJson(Object.fromEntries(columns.map((name) => [name, exported[name]])))}\n`;
  }
}

function toExported(device: Device) {
  return { ...device, app_key: revealText(device.app_key) };
}

function namesOfLabels({ labels }: Device): string[] {
  return labels.map(({ name }) => name);
}
