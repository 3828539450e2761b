import * as z from "zod/mini";
import { parseMapping } from "../files/parse-mapping.ts";
import { readUserFile } from "../files/private-file.ts";
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
const settings = z.strictObject({
  application_id: z.optional(uuid),
  device_profile_id: z.optional(uuid),
  // The console holds one key for a device, and LoRaWAN 1.1 has two.
  lorawan_version: z.optional(
    z.enum(["1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4"], "must be 1.0.0 to 1.0.4"),
  ),
  lorawan_phy_version: z.optional(
    z.enum(PHY_VERSIONS, "must be a version of The Things Stack, such as PHY_V1_0_3_REV_A"),
  ),
  frequency_plan_id: z.optional(filled),
  join_server_address: z.optional(filled),
});
const mapping = z.strictObject({
  devices: z.optional(settings),
  labels: z.optional(z.record(z.string(), settings)),
});

/** What a network server has to know of a device, and this console does not. */
export type DeviceSettings = z.output<typeof settings>;

/** Returns the settings of a device: those of all devices, and over them those of its labels. */
export type SettingsOf = (device: FleetDevice) => DeviceSettings;

/** Reads the mapping file of another network server. */
export async function readTargetMapping(file: string | undefined): Promise<SettingsOf> {
  if (file === undefined) return () => ({});
  const { devices = {}, labels = {} } = parseMapping(mapping, {
    file,
    json: (await readUserFile(file)).toString(),
    holds: '"devices" and, by label, "labels"',
  });
  return (device) =>
    Object.assign(
      {},
      devices,
      ...device.labels.map((name) => (Object.hasOwn(labels, name) ? labels[name] : {})),
    ) as DeviceSettings;
}
