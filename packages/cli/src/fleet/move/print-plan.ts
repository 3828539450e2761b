import type { Context } from "../../context.ts";
import { countOf } from "../plan/count-of.ts";
import {
  printLines,
  withSign,
  type PlanFact,
  type PlanHead,
  type PlanLine,
} from "../plan/plan-lines.ts";
import { toSubject, type FleetDevice, type FleetFlow } from "./fleet.ts";
import type { Plan } from "./plan.ts";

/** Prints a plan: the console, a line for each difference, and the totals. With `--json`, prints one object. */
export async function printPlan(context: Context, head: PlanHead, plan: Plan): Promise<void> {
  const { others } = plan;
  await printLines(context, head, linesOf(plan), { others });
  const { devices, labels, integrations } = others;
  if (devices + labels + integrations > 0 && !context.output.isJson)
    context.output.note(
      `The console also holds ${countOf(devices, "device")}, ${countOf(labels, "label")} and ${countOf(integrations, "integration")} that are not in the file. They are not changed.`,
    );
}

/** Returns the lines of a plan: what is created, what is changed, and what no call can do. */
export function linesOf(plan: Plan): PlanLine[] {
  const created: PlanFact[] = [
    ...plan.newLabels.map(({ name, config_profile_id }) => ({
      kind: "label",
      name,
      ...(config_profile_id !== undefined && {
        fields: { config_profile_id: { to: config_profile_id } },
      }),
    })),
    ...plan.newDevices.map((device) => ({ ...toSubject(device), ...details(device) })),
    ...plan.newIntegrations.map(({ name, type }) => ({
      kind: "integration",
      name,
      what: type,
      fields: { type: { to: type } },
    })),
    ...plan.newFlows.map(({ integration, to }) => ({
      kind: "flow",
      name: integration,
      ...sourceOf(to),
    })),
  ];
  const changed: PlanFact[] = [
    ...plan.labelProfiles.map(({ name, config_profile_id }) => ({
      kind: "label",
      name,
      ...profileChange(config_profile_id),
    })),
    ...plan.deviceProfiles.map(({ device, config_profile_id }) => ({
      ...toSubject(device),
      ...profileChange(config_profile_id),
    })),
    ...plan.deviceLabels.map(({ device, label }) => ({
      ...toSubject(device),
      what: `add the label ${JSON.stringify(label)}`,
      fields: { label: { to: label } },
    })),
    ...plan.activations.map(({ device, active }) => ({
      ...toSubject(device),
      what: active ? "activate" : "deactivate",
      fields: { active: { from: !active, to: active } },
    })),
  ];
  const open = plan.open.map(({ kind, key, why }) => ({ kind, name: key, what: why }));
  return [
    ...withSign("+", created),
    ...withSign("~", changed),
    ...withSign("!", plan.byHand),
    ...withSign("?", open),
  ];
}

function profileChange(id: string): Pick<PlanFact, "what" | "fields"> {
  return { what: `config profile ${id}`, fields: { config_profile_id: { to: id } } };
}

function details({ labels, active }: FleetDevice): Pick<PlanFact, "what" | "fields"> {
  const facts: string[] = [];
  const fields: Record<string, { to: unknown }> = {};
  if (labels.length > 0) {
    facts.push(`labels ${labels.map((name) => JSON.stringify(name)).join(", ")}`);
    fields["labels"] = { to: labels };
  }
  if (active === false) {
    facts.push("inactive");
    fields["active"] = { to: false };
  }
  return facts.length === 0 ? {} : { what: facts.join("; "), fields };
}

function sourceOf(to: FleetFlow["to"]): Required<Pick<PlanFact, "what" | "fields">> {
  if ("label" in to)
    return {
      what: `from label ${JSON.stringify(to.label)}`,
      fields: { label: { to: to.label } },
    };
  const dev_eui = to.device.dev_eui.toUpperCase();
  return { what: `from device ${dev_eui}`, fields: { device: { to: dev_eui } } };
}
