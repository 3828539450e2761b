import { revealText } from "@fieldmesh/core";
import { labelsTag, type Target } from "./target.ts";

const MAX_ATTRIBUTE = 200;

/** The Things Stack: the end device JSON that its Console and its command line import. The version is that of a LoRaWAN 1.0.x device. */
export const thingsStack: Target = {
  required: ["lorawan_version", "lorawan_phy_version", "frequency_plan_id"],
  loses(device) {
    if (device.active === false) return "it is inactive, and will be active";
    const { labels = "" } = labelsTag(device);
    return labels.length > MAX_ATTRIBUTE ? "its labels are too long for an attribute" : undefined;
  },
  write(device, settings) {
    const { labels } = labelsTag(device);
    const { lorawan_version, lorawan_phy_version, frequency_plan_id, join_server_address } =
      settings;
    return [
      {
        ids: {
          // As its Console names a device: an id may hold lower case, digits and dashes alone.
          device_id: `eui-${device.dev_eui.toLowerCase()}`,
          dev_eui: device.dev_eui.toUpperCase(),
          join_eui: device.app_eui.toUpperCase(),
        },
        name: device.name,
        ...(labels !== undefined && labels.length <= MAX_ATTRIBUTE && { attributes: { labels } }),
        lorawan_version: macVersion(lorawan_version ?? ""),
        lorawan_phy_version,
        frequency_plan_id,
        ...(join_server_address !== undefined && { join_server_address }),
        supports_join: true,
        root_keys: { app_key: { key: revealText(device.app_key).toUpperCase() } },
      },
    ];
  },
};

/** `1.0.3` is `MAC_V1_0_3`, and `1.0.0` is `MAC_V1_0`. */
function macVersion(version: string): string {
  return `MAC_V${version.replace(/^1\.0\.0$/, "1.0").replaceAll(".", "_")}`;
}
