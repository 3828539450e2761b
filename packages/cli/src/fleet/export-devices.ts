import type { Device } from "@fieldmesh/console-client";
import { revealText, stringifyJson } from "@fieldmesh/core/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { writeNames, writeSheet } from "./csv/sheet.ts";
import { encrypt } from "./files/encrypted-file.ts";
import { readNewPassphrase } from "./files/passphrase.ts";
import { checkNewFile, writePrivateFile } from "./files/private-file.ts";
import { findLabel } from "./label-ids.ts";
import { textOption } from "./options.ts";
import { readDevices } from "./read-devices.ts";

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
type Cell = string | number | bigint | boolean | null | undefined;
type Exported = Record<Exclude<(typeof COLUMNS)[number], "app_key" | "labels">, Cell> & {
  readonly app_key?: string;
  readonly labels: readonly string[];
};

export async function run(context: Context, input: Input): Promise<void> {
  const { output, reveal, signal } = context;
  const file = textOption(input, "out");
  const isEncrypted = input.options["encrypt"] === true;
  const format =
    textOption(input, "format") ?? formatOf(file) ?? (output.isJson ? "ndjson" : "csv");
  if (isEncrypted && file === undefined)
    throw new CliError("--encrypt writes into a file: name it with --out.");
  if (file !== undefined) checkNewFile(file, "--out");
  const hasKeys = reveal || isEncrypted;
  const label = textOption(input, "label");
  const label_id = label === undefined ? undefined : await findLabel(context, input, label);
  const client = await context.client("console");
  const isInLabel = ({ labels }: Device): boolean =>
    label_id === undefined || labels.some(({ id }) => id === label_id);
  const found = await readDevices(client, signal, isInLabel);
  const devices = found.map((device) => toExported(device, hasKeys));
  const content = format === "csv" ? toCsv(devices, hasKeys) : toNdjson(devices);

  if (file === undefined) {
    const lines = content === "" ? [] : content.trimEnd().split("\n");
    for (const line of lines) await output.line(line);
  } else {
    const passphrase = isEncrypted ? await readNewPassphrase(context, input) : undefined;
    writePrivateFile(file, passphrase === undefined ? content : await encrypt(content, passphrase));
  }
  if (file !== undefined && output.isJson)
    await output.record({ file, devices: devices.length, keys: hasKeys });
  const keys = hasKeys
    ? "with their keys"
    : "without their keys: add --encrypt or --reveal for these";
  output.note(`Exported ${devices.length} devices ${keys}.`);
}

function formatOf(file: string | undefined): string | undefined {
  return /\.(csv|ndjson)(\.age)?$/i.exec(file ?? "")?.[1]?.toLowerCase();
}

function toExported(device: Device, hasKeys: boolean): Exported {
  const { name, dev_eui, app_eui, active, labels, config_profile_id } = device;
  const { last_connected, total_packets, dc_usage, id } = device;
  return {
    name,
    dev_eui,
    app_eui,
    ...(hasKeys && { app_key: revealText(device.app_key) }),
    active,
    labels: labels.map((label) => label.name),
    config_profile_id,
    last_connected,
    total_packets,
    dc_usage,
    id,
  };
}

function toCsv(devices: readonly Exported[], hasKeys: boolean): string {
  const columns = COLUMNS.filter((column) => column !== "app_key" || hasKeys);
  const rows = devices.map(({ labels, ...rest }) => {
    const cells: Record<string, Cell> = { ...rest, labels: writeNames(labels) };
    return columns.map((column) => String(cells[column] ?? ""));
  });
  return writeSheet(columns, rows);
}

function toNdjson(devices: readonly Exported[]): string {
  return devices.map((device) => `${stringifyJson(device)}\n`).join("");
}
