import type { FaultRate, FaultRule, FaultScript } from "../faults/fault-script.ts";
import type { FaultsView, RuleView } from "./wire.ts";

export function viewFaults(script: FaultScript | undefined): FaultsView {
  if (script === undefined || (Array.isArray(script) && script.length === 0))
    return { kind: "none" };
  if (typeof script === "function") return { kind: "function" };
  if ("rate" in script) return { kind: "rate", rate: script };
  return {
    kind: "rules",
    rules: script.map(({ times, ...rule }) => ({
      ...rule,
      ...(times !== undefined && { times: times === Infinity ? "all" : times }),
    })),
  };
}

/** Reads a script from JSON. It is checked where it is set. */
export function readFaults(view: unknown): FaultScript | undefined {
  if (view === null || view === undefined) return undefined;
  if (!Array.isArray(view)) return view as FaultRate;
  return view.map((rule: RuleView) =>
    rule?.times === "all" ? { ...rule, times: Infinity } : rule,
  ) as FaultRule[];
}
