import { countOf } from "../plan/count-of.ts";
import { nameOf } from "../move/fleet.ts";
import type { PlanFact } from "../plan/plan-lines.ts";
import type { DeviceSettings } from "./target-mapping.ts";
import type { Wanted } from "./target-server.ts";

/** Lists the settings that devices need and the mapping file lacks. */
export function lackingSettings(
  wanted: readonly Wanted[],
  required: readonly (keyof DeviceSettings)[],
): PlanFact[] {
  return required.flatMap((setting) => {
    const lacking = wanted.filter(({ settings }) => settings[setting] === undefined);
    const [first] = lacking;
    if (first === undefined) return [];
    const devices = countOf(lacking.length, "device");
    return {
      kind: setting,
      what: `${devices} without one, such as ${nameOf(first.device)}; add it to "devices", or to a label in "labels"`,
    };
  });
}
