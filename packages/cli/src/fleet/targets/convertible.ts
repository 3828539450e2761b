import { countOf } from "../plan/count-of.ts";
import { toSubject, type Fleet, type FleetDevice } from "../move/fleet.ts";
import type { PlanFact } from "../plan/plan-lines.ts";
import type { Target } from "./target.ts";

/** Finds the devices that a network server can store, those `leftOut` with the reason, and what is `lost` of the fleet. */
export function convertible(fleet: Fleet, target: Target) {
  const leftOut: PlanFact[] = [];
  const euis = new Set<string>();
  const devices = fleet.devices.filter((device) => {
    const dev_eui = device.dev_eui.toUpperCase();
    const problem = euis.has(dev_eui)
      ? "another device of the file has its dev_eui"
      : formProblem(device);
    if (problem === undefined) euis.add(dev_eui);
    else leftOut.push({ ...toSubject(device), what: `it is left out, because ${problem}` });
    return problem === undefined;
  });
  const lost: PlanFact[] = devices.flatMap((device) =>
    target.loses(device).map((what) => ({ ...toSubject(device), what })),
  );
  const { integrations, flows } = fleet;
  if (integrations.length > 0)
    lost.push({
      kind: "integrations",
      what: `${countOf(integrations.length, "integration")} with ${countOf(flows.length, "flow")} cannot move: create them there`,
    });
  return { devices, leftOut, lost };
}

function formProblem({ dev_eui, app_eui, app_key }: FleetDevice): string | undefined {
  if (!/^[0-9a-f]{16}$/i.test(dev_eui)) return "its dev_eui has not 16 hexadecimal digits";
  if (!/^[0-9a-f]{16}$/i.test(app_eui)) return "its app_eui has not 16 hexadecimal digits";
  return /^[0-9a-f]{32}$/i.test(app_key.reveal())
    ? undefined
    : "its app_key has not 32 hexadecimal digits";
}
