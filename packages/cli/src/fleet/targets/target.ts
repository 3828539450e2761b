import type { FleetDevice } from "../move/fleet.ts";
import type { DeviceSettings } from "./target-mapping.ts";

/** A network server that a fleet can leave to. */
export interface Target {
  /** What each device needs from the mapping file. */
  readonly required: readonly (keyof DeviceSettings)[];
  /** What it cannot hold of a device, if anything. */
  readonly loses: (device: FleetDevice) => string | undefined;
  /** Writes the objects of a device, each as a line of JSON. They hold its key. */
  readonly write: (device: FleetDevice, settings: DeviceSettings) => readonly object[];
}

/** How a list of labels is kept where there is one string for it. */
export function labelsTag({ labels }: FleetDevice): { labels?: string } {
  return labels.length === 0 ? {} : { labels: labels.join("; ") };
}
