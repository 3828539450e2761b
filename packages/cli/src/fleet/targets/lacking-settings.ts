import { nameOf } from "../move/fleet.ts";
import type { Wanted } from "./target-server.ts";
import type { DeviceSettings } from "./target-mapping.ts";

export interface Lacking {
  readonly setting: keyof DeviceSettings;
  readonly why: string;
  readonly advice: string;
}

/** Lists the settings that devices need and the mapping file lacks. */
export function lackingSettings(
  wanted: readonly Wanted[],
  required: readonly (keyof DeviceSettings)[],
): Lacking[] {
  return required.flatMap((setting) => {
    const lacking = wanted.filter(({ settings }) => settings[setting] === undefined);
    const [first] = lacking;
    if (first === undefined) return [];
    return {
      setting,
      why: `${lacking.length} devices have no ${setting}, such as ${nameOf(first.device)}.`,
      advice: `Add it to "devices", or to a label in "labels", of the mapping file.`,
    };
  });
}
