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
): Readonly<Record<keyof ServiceOptions, Readonly<Record<string, unknown>>>> {
  const of = (name: keyof ServiceOptions): Readonly<Record<string, unknown>> => {
    const own = options[name] ?? {};
    const passed = Object.entries(own).filter(([, value]) => value !== undefined);
    const all = { ...presets[name][own.deployment ?? "spec"], ...Object.fromEntries(passed) };
    return withoutInfinity(all) as Readonly<Record<string, unknown>>;
  };
  return {
    console: of("console"),
    ledger: of("ledger"),
    mapper: of("mapper"),
    mobile: of("mobile"),
  };
}
