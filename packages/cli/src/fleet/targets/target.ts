import type { FleetDevice } from "../move/fleet.ts";
import type { ApplicationIdForm, DeviceSettings } from "./target-mapping.ts";

/** A network server that a fleet can leave to. */
export interface Target {
  readonly applicationId: ApplicationIdForm;
  /** What each device needs from the mapping file. */
  readonly required: readonly (keyof DeviceSettings)[];
  /** What it cannot hold of a device. */
  readonly loses: (device: FleetDevice) => readonly string[];
  /** Writes the objects of a device, each as a line of JSON. They hold its key. */
  readonly write: (device: FleetDevice, settings: DeviceSettings) => readonly object[];
}

const SEPARATOR = "; ";

/** How a list of labels is kept where there is one string for it. */
export function labelsTag({ labels }: FleetDevice): { labels?: string } {
  return labels.length === 0 ? {} : { labels: labels.join(SEPARATOR) };
}

/** Adds the labels of a device to those that a server has; `undefined` where it has them all. */
export function addLabels(there: string | undefined, { labels }: FleetDevice): string | undefined {
  const found = there === undefined || there === "" ? [] : there.split(SEPARATOR);
  const missing = labels.filter((label) => !found.includes(label));
  return missing.length === 0 ? undefined : [...found, ...missing].join(SEPARATOR);
}

/** Cuts a name to so many characters. */
export function cutName({ name }: FleetDevice, length: number): string {
  return characters(name).slice(0, length).join("");
}

/** Says that a name is cut to so many characters, if it is. */
export function losesName({ name }: FleetDevice, length: number): string[] {
  return characters(name).length > length ? [`its name is cut to ${length} characters`] : [];
}

/** As servers count them: code points. */
function characters(name: string): string[] {
  return Array.from(name);
}
