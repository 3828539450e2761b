import type { Device } from "@fieldmesh/console-client";
import { revealText, stringifyJson } from "@fieldmesh/core/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { writeNames, writeSheet } from "./csv/sheet.ts";
import { encrypt } from "./files/encrypted-file.ts";
import { readNewPassphrase } from "./files/passphrase.ts";
import { checkNewFile, writePrivateFile } from "../files/user-file.ts";
import { hideValues } from "../clients/hide-values.ts";
import { findLabel } from "./label-ids.ts";
import { textOption } from "./options.ts";
import { hasLabel, readDevices } from "./read-devices.ts";

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
  const devices = await readDevices(
    client,
    signal,
    label_id === undefined ? undefined : hasLabel(label_id),
  );
  const columns = COLUMNS.filter((column) => column !== "app_key" || hasKeys);
  const hide = await hideValues("console", ["devices", "list"], { ...context, reveal: hasKeys });
  const shown = devices.map((device) => hide(device) as Device);
  const content = format === "csv" ? toCsv(shown, columns) : toNdjson(shown, columns);

  if (file === undefined) {
    const lines = content === "" ? [] : content.trimEnd().split("\n");
    for (const line of lines) await output.file(line);
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

function toCsv(devices: readonly Device[], columns: readonly Column[]): string {
  const rows = devices.map((device) => {
    const exported = { ...toExported(device), labels: writeNames(namesOfLabels(device)) };
    return columns.map((column) => String(exported[column] ?? ""));
  });
  return writeSheet(columns, rows);
}

function toNdjson(devices: readonly Device[], columns: readonly Column[]): string {
  const lines = devices.map((device) => {
    const exported = { ...toExported(device), labels: namesOfLabels(device) };
    return stringifyJson(Object.fromEntries(columns.map((name) => [name, exported[name]])));
  });
  return lines.map((line) => `${line}\n`).join("");
}

function toExported(device: Device) {
  return { ...device, app_key: revealText(device.app_key) };
}

function namesOfLabels({ labels }: Device): string[] {
  return labels.map(({ name }) => name);
}
