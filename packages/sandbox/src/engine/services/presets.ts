import { consolePresets } from "../console/state/deployment.ts";
import { ledgerPresets } from "../ledger/ledger-state.ts";
import { mapperPresets } from "../mapper/mapper.ts";
import { mobilePresets } from "../mobile/mobile-state.ts";
import { withoutInfinity } from "../saved/saved.ts";
import type { ServiceOptions } from "./served.ts";

/** The switches of each service as the published spec has them, and as a hosted deployment does. */
export const presets = {
  console: consolePresets,
  ledger: ledgerPresets,
  mapper: mapperPresets,
  mobile: mobilePresets,
};

/** Returns the options of each service that were passed, and what its deployment sets, as JSON without `Infinity`. */
export function currentOptions(
  options: ServiceOptions,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const all = Object.entries(presets).map(([name, preset]) => {
    const own = options[name as keyof ServiceOptions] ?? {};
    return [name, withoutInfinity({ ...preset[own.deployment ?? "spec"], ...own })] as const;
  });
  return Object.fromEntries(all);
}
