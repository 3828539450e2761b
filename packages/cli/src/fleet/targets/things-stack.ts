import { revealText } from "@fieldmesh/core/internal";
import type { FleetDevice } from "../move/fleet.ts";
import { cutName, labelsTag, losesName } from "./target.ts";
import type { DeviceSettings } from "./target-mapping.ts";

/** An end device as The Things Stack imports it. */
export interface EndDevice {
  readonly ids: {
    readonly device_id: string;
    readonly dev_eui: string;
    readonly join_eui: string;
  };
  readonly name: string;
  readonly attributes?: { readonly labels: string };
  readonly lorawan_version: string;
  readonly lorawan_phy_version: string;
  readonly frequency_plan_id: string;
  readonly join_server_address?: string;
  readonly supports_join: true;
  readonly root_keys: { readonly app_key: { readonly key: string } };
}

const MAX_NAME = 50;
/** Of an attribute. */
export const MAX_LABELS = 200;

/** The Things Stack: the end device JSON that its Console and its command line import. The version is that of a LoRaWAN 1.0.x device. */
export const thingsStack = {
  applicationId: "name",
  required: ["lorawan_version", "lorawan_phy_version", "frequency_plan_id"],
  loses(device: FleetDevice) {
    const { labels = "" } = labelsTag(device);
    return [
      ...(device.active === false ? ["it is inactive, and will be active"] : []),
      ...losesName(device, MAX_NAME),
      ...(labels.length > MAX_LABELS ? ["its labels are too long for an attribute"] : []),
    ];
  },
  write(device: FleetDevice, settings: DeviceSettings): [EndDevice] {
    const { labels } = labelsTag(device);
    const { lorawan_version = "", lorawan_phy_version = "", frequency_plan_id = "" } = settings;
    const { join_server_address } = settings;
    return [
      {
        ids: {
          // As its Console names a device: an id may hold lower case, digits and dashes alone.
          device_id: `eui-${device.dev_eui.toLowerCase()}`,
          dev_eui: device.dev_eui.toUpperCase(),
          join_eui: device.app_eui.toUpperCase(),
        },
        name: cutName(device, MAX_NAME),
        ...(labels !== undefined && labels.length <= MAX_LABELS && { attributes: { labels } }),
        lorawan_version: macVersion(lorawan_version),
        lorawan_phy_version,
        frequency_plan_id,
        ...(join_server_address !== undefined && { join_server_address }),
        supports_join: true,
        root_keys: { app_key: { key: revealText(device.app_key).toUpperCase() } },
      },
    ];
  },
} as const;

/** `1.0.3` is `MAC_V1_0_3`, and `1.0.0` is `MAC_V1_0`. */
function macVersion(version: string): string {
  return `MAC_V${version.replace(/^1\.0\.0$/, "1.0").replaceAll(".", "_")}`;
}
