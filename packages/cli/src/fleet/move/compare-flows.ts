import type { Device } from "@fieldmesh/console-client";
import { idReader } from "./compare-devices.ts";
import { identityOf, type Fleet } from "./fleet.ts";
import type { Mapping } from "./mapping.ts";
import type { Plan } from "./plan.ts";
import type { Snapshot } from "./snapshot.ts";

/** Compares the integrations. Returns the names of those that are left out. */
export function compareIntegrations(
  plan: Plan,
  fleet: Fleet,
  target: Snapshot,
  mapping: Mapping,
): ReadonlySet<string> {
  const there = new Set(target.integrations.map(({ name }) => name));
  const leftOut = new Set<string>();
  for (const { name } of fleet.integrations) {
    if (there.has(name)) continue;
    const created = mapping.integration(name);
    if (created === undefined)
      plan.open.push({
        kind: "integrations",
        key: name,
        why: "its type and credentials, which no console shows again, or null to leave it out",
      });
    else if (created === null) leftOut.add(name);
    else plan.newIntegrations.push(created);
  }
  return leftOut;
}

export function compareFlows(
  plan: Plan,
  fleet: Fleet,
  target: Snapshot,
  mapping: Mapping,
  { found, leftOut }: { found: ReadonlyMap<string, Device>; leftOut: ReadonlySet<string> },
): void {
  const integrations = new Map(target.integrations.map(({ id, name }) => [name, id]));
  const labels = new Map(target.labels.map(({ id, name }) => [name, id]));
  const coming = new Set(plan.newDevices.map(identityOf));
  const there = new Set(
    target.flows.map((flow) =>
      flowKey(flow.integration_id, flow.label_id ?? flow.device_id, flow.function_id),
    ),
  );
  const functions = idReader(plan, mapping.functionId, {
    kind: "functions",
    why: "its id in this console, or null for flows without it",
  });
  const planned = new Set<string>();
  for (const { integration, to, function_id } of fleet.flows) {
    if (leftOut.has(integration)) continue;
    const mapped = functions(function_id);
    const isLabel = "label" in to;
    const targetId = isLabel ? labels.get(to.label) : found.get(identityOf(to.device))?.id;
    if (!isLabel && targetId === undefined && !coming.has(identityOf(to.device))) continue;
    const integrationId = integrations.get(integration);
    const isThere =
      integrationId !== undefined && there.has(flowKey(integrationId, targetId, mapped));
    const key = flowKey(integration, isLabel ? `label ${to.label}` : identityOf(to.device), mapped);
    if (isThere || planned.has(key)) continue;
    planned.add(key);
    plan.newFlows.push({ integration, to, function_id: mapped });
  }
}

function flowKey(
  integration: string,
  to: string | null | undefined,
  function_id: string | null | undefined,
): string {
  return JSON.stringify([integration, to ?? null, function_id?.toLowerCase() ?? null]);
}
