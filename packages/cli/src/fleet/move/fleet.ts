import { JSONParser } from "@streamparser/json";
import { revealText } from "@fieldmesh/core/internal";
import { secret } from "@fieldmesh/core/internal/schema";
import * as z from "@fieldmesh/core/internal/zod";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { CliError } from "../../exit-codes.ts";
import { streamUserFile } from "../../files/user-file.ts";
import { decrypt } from "../files/encrypted-file.ts";
import { readPassphrase } from "../files/passphrase.ts";

const text = z.string();
const profile = z.nullable(text);

/** What identifies a device: the console allows several devices with one dev_eui. */
const identity = { dev_eui: text, app_eui: text, app_key: secret() };

const label = z.strictObject({
  name: text,
  config_profile_id: profile,
  /** Settings that no call can change, if the console shows them. */
  settings: z.strictObject({
    multi_buy: z.optional(z.int()),
    adr_allowed: z.optional(z.boolean()),
    cf_list_enabled: z.optional(z.boolean()),
    rx_delay: z.optional(z.int()),
  }),
});
const device = z.strictObject({
  name: text,
  ...identity,
  /** Missing if the console does not show it. */
  active: z.optional(z.boolean()),
  config_profile_id: profile,
  /** By name. */
  labels: z.array(text),
});
const integration = z.strictObject({ name: text });
const flow = z.strictObject({
  /** By name. */
  integration: text,
  /** The target: a label by name, or a device. */
  to: z.union([
    z.strictObject({ label: text }),
    z.strictObject({ device: z.strictObject(identity) }),
  ]),
  function_id: z.nullable(text),
});

const fleet = z.strictObject({
  format: z.literal("fieldmesh-fleet"),
  version: z.literal(1),
  exported_at: z.iso.datetime(),
  /** The name of the organization. */
  organization: text,
  labels: z.array(label),
  devices: z.array(device),
  integrations: z.array(integration),
  flows: z.array(flow),
});

const SHOWN_FIELDS = 5;

/** Everything that moves from one console to another. Ids are valid in one console only, so references use names and EUIs. */
export interface Fleet extends z.output<typeof fleet> {}
export interface FleetDevice extends z.output<typeof device> {}
export interface FleetLabel extends z.output<typeof label> {}
export interface FleetFlow extends z.output<typeof flow> {}

/** Writes a fleet of any size with its keys: encrypt the result. `others` returns the rest of it, after the last device. */
export async function* writeFleet(
  devices: AsyncIterable<FleetDevice> | Iterable<FleetDevice>,
  others: () => Omit<Fleet, "devices">,
): AsyncGenerator<string> {
  yield '{"devices":[';
  let separator = "\n";
  for await (const each of devices) {
    yield separator + JSON.stringify(z.encode(device, each));
    separator = ",\n";
  }
  const { devices: _written, ...rest } = z.encode(fleet, { ...others(), devices: [] });
  yield `\n],\n${JSON.stringify(rest).slice(1)}\n`;
}

/**
 * Reads a fleet of any size. Asks for the passphrase if the file is encrypted. An error names the fields that are wrong, never a
 * value.
 */
export async function loadFleet(context: Context, input: Input, file: string): Promise<Fleet> {
  const content = streamUserFile(file, context.signal);
  const json = decrypt(file, content, () => readPassphrase(context, input));
  const { value, devices, wrong } = await parse(json, file);
  const parsed = z.safeDecode(fleet, value as z.input<typeof fleet>);
  if (parsed.success && wrong.size === 0) return { ...parsed.data, devices };
  const fields = new Set(parsed.error?.issues.map(({ path }) => path.join(".")));
  if (fields.has("")) throw new CliError(`${file} is not an export of a fleet.`);
  const shown = [...fields, ...wrong].slice(0, SHOWN_FIELDS).join(", ");
  throw new CliError(
    `${file} is not an export of a fleet that this version reads. Check ${shown}.`,
  );
}

/** Parses a fleet that arrives in parts. Each device is checked and decoded at once, so that all of them are in memory only once. */
async function parse(json: AsyncIterable<Uint8Array>, file: string) {
  const devices: FleetDevice[] = [];
  const wrong = new Set<string>();
  let value: unknown;
  const parser = new JSONParser({ paths: ["$", "$.devices.*"], keepStack: false });
  parser.onValue = ({ value: found, key, parent, stack }) => {
    if (stack.length === 0) value = found;
    if (stack.length === 0 || !Array.isArray(parent)) return;
    const parsed = z.safeDecode(device, found as unknown as z.input<typeof device>);
    if (parsed.success) devices.push(parsed.data);
    else for (const { path } of parsed.error.issues) wrong.add(["devices", key, ...path].join("."));
    parent.length = 0;
  };
  for await (const part of json)
    try {
      parser.write(part);
    } catch {
      throw notJson(file);
    }
  if (!parser.isEnded) throw notJson(file);
  return { value, devices, wrong };
}

function notJson(file: string): CliError {
  return new CliError(`${file} is not an export of a fleet: it is not JSON.`);
}

type Identity = Pick<FleetDevice, keyof typeof identity>;

/** Returns the identity of a device, in upper case. It contains the key, so it is never printed. */
export function identityOf({ dev_eui, app_eui, app_key }: Identity): string {
  return (dev_eui + app_eui + revealText(app_key)).toUpperCase();
}

/** Returns the facts about a device that a plan shows. */
export function toSubject({ name, dev_eui }: Pick<FleetDevice, "name" | "dev_eui">) {
  return { kind: "device", name, dev_eui: dev_eui.toUpperCase() };
}

/** Returns the name and EUI of a device for messages. */
export function nameOf({ name, dev_eui }: Pick<FleetDevice, "name" | "dev_eui">): string {
  return `${JSON.stringify(name)} (${dev_eui.toUpperCase()})`;
}
