import type { SampleOf } from "@fieldmesh/http/internal";
import type { devices } from "@fieldmesh/console-client/endpoints";
import type { ConsoleState, DeviceRecord } from "./state.ts";

type WireLabel = SampleOf<(typeof devices)["get"]>["output"]["labels"][number];

/** Returns the labels of a device as its record shows them. */
export function labelsOf({ label_ids }: DeviceRecord, state: ConsoleState): WireLabel[] {
  return [...label_ids].flatMap((label_id) => {
    const label = state.labels.get(label_id);
    if (!label) return [];
    const { adr_allowed, cf_list_enabled, config_profile_id, id, name, rx_delay } = label;
    return [{ adr_allowed, cf_list_enabled, config_profile_id, id, name, rx_delay }];
  });
}
