import * as z from "@fieldmesh/core/internal/zod";
import { readMappingFile } from "../files/mapping-file.ts";
import type { FleetDevice } from "../move/fleet.ts";

const uuid = z.guid("must be a UUID");
const filled = z.string().check(z.minLength(1, "must not be empty"));
/** Regional parameters of LoRaWAN 1.0.x, as The Things Stack names them. */
const PHY_VERSIONS = [
  "PHY_V1_0",
  "PHY_V1_0_1",
  "PHY_V1_0_2_REV_A",
  "PHY_V1_0_2_REV_B",
  "PHY_V1_0_3_REV_A",
  "RP002_V1_0_0",
  "RP002_V1_0_1",
  "RP002_V1_0_2",
  "RP002_V1_0_3",
  "RP002_V1_0_4",
] as const;
/** Forms of the id of an application. */
const APPLICATION_IDS = {
  uuid,
  name: z
    .string()
    .check(
      z.maxLength(36, "must have up to 36 characters"),
      z.regex(/^[a-z0-9](?:-?[a-z0-9]){2,}$/, "must be an id such as water-meters"),
    ),
} as const;
const settings = {
  device_profile_id: z.optional(uuid),
  // The console stores one key per device, and LoRaWAN 1.1 has two.
  lorawan_version: z.optional(
    z.enum(["1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4"], "must be 1.0.0 to 1.0.4"),
  ),
  lorawan_phy_version: z.optional(
    z.enum(PHY_VERSIONS, "must be a version of The Things Stack, such as PHY_V1_0_3_REV_A"),
  ),
  frequency_plan_id: z.optional(filled),
  join_server_address: z.optional(filled),
};

export type ApplicationIdForm = keyof typeof APPLICATION_IDS;

function mappingOf(form: ApplicationIdForm) {
  const every = z.strictObject({
    application_id: z.optional<z.ZodMiniType<string, string>>(APPLICATION_IDS[form]),
    ...settings,
  });
  return z.strictObject({
    devices: z.optional(every),
    labels: z.optional(z.record(z.string(), every)),
  });
}

/** The settings of a device that a network server needs and this console does not have. */
export type DeviceSettings = NonNullable<z.output<ReturnType<typeof mappingOf>>["devices"]>;

/** Returns the settings of a device: those of all devices, overridden by those of its labels. */
export type SettingsOf = (device: FleetDevice) => DeviceSettings;

/** Returns a mapping file to fill in, with the settings that each device needs. */
export function targetTemplate(required: readonly (keyof DeviceSettings)[]): string {
  const devices = Object.fromEntries(required.map((name) => [name, ""]));
  return `${JSON.stringify({ devices, labels: {} }, undefined, 2)}\n`;
}

/** Reads the mapping file of another network server. */
export async function readTargetMapping(
  file: string | undefined,
  form: ApplicationIdForm,
): Promise<SettingsOf> {
  if (file === undefined) return () => ({});
  const holds = '"devices" and, by label, "labels"';
  const { devices = {}, labels = {} } = await readMappingFile(mappingOf(form), file, holds);
  return (device) =>
    Object.assign(
      {},
      devices,
      ...device.labels.map((name) => (Object.hasOwn(labels, name) ? labels[name] : {})),
    ) as DeviceSettings;
}
