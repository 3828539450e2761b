import type { Context } from "../../context.ts";
import { nameOf, type FleetFlow } from "./fleet.ts";
import { countChanges, type Plan } from "./plan.ts";

/** One difference: `+` is created, `~` is changed, `!` is left to people, `?` is a question to the mapping file. */
interface Line {
  readonly sign: "+" | "~" | "!" | "?";
  readonly what: string;
}

/** Prints a plan: a line for each difference, or one object with `--json`. */
export async function printPlan({ output }: Context, plan: Plan): Promise<void> {
  const lines = linesOf(plan);
  if (output.isJson) {
    await output.record({ ...summaryOf(plan), others: plan.others, changes: lines });
    return;
  }
  for (const { sign, what } of lines) await output.line(`${sign} ${what}`);
  const { create, change, by_hand, open } = summaryOf(plan);
  const rest = [
    ...(by_hand > 0 ? [`${by_hand} by hand (!)`] : []),
    ...(open > 0 ? [`${open} to map (?)`] : []),
  ];
  const sum = [`${create} to create (+)`, `${change} to change (~)`, ...rest].join(", ");
  await output.line(lines.length === 0 ? "No differences." : `${sum}. Nothing is deleted.`);
  const { devices, labels, integrations } = plan.others;
  if (devices + labels + integrations > 0)
    output.note(
      `The console also holds ${devices} devices, ${labels} labels and ${integrations} integrations that are not in the file. They stay as they are.`,
    );
}

/** The numbers of a plan. */
export function summaryOf(plan: Plan) {
  return { ...countChanges(plan), by_hand: plan.byHand.length, open: plan.open.length };
}

function linesOf(plan: Plan): Line[] {
  const created = [
    ...plan.newLabels.map(({ name }) => `label ${JSON.stringify(name)}`),
    ...plan.newDevices.map((device) => `device ${nameOf(device)}${details(device)}`),
    ...plan.newIntegrations.map(
      ({ name, type }) => `integration ${JSON.stringify(name)} (${type})`,
    ),
    ...plan.newFlows.map(
      ({ integration, to }) => `flow ${toName(to)} -> integration ${JSON.stringify(integration)}`,
    ),
  ];
  const changed = [
    ...plan.labelProfiles.map(
      ({ name, config_profile_id }) =>
        `label ${JSON.stringify(name)}: config profile ${config_profile_id}`,
    ),
    ...plan.deviceProfiles.map(
      ({ device, config_profile_id }) =>
        `device ${nameOf(device)}: config profile ${config_profile_id}`,
    ),
    ...plan.deviceLabels.map(
      ({ device, label }) => `device ${nameOf(device)}: add the label ${JSON.stringify(label)}`,
    ),
    ...plan.activations.map(
      ({ device, active }) => `device ${nameOf(device)}: ${active ? "activate" : "deactivate"}`,
    ),
  ];
  const toLine =
    (sign: Line["sign"]) =>
    (what: string): Line => ({ sign, what });
  return [
    ...created.map(toLine("+")),
    ...changed.map(toLine("~")),
    ...plan.byHand.map(toLine("!")),
    ...plan.open.map(({ kind, key, why }) => toLine("?")(`${kind} ${JSON.stringify(key)}: ${why}`)),
  ];
}

function details({
  labels,
  active,
}: {
  labels: readonly string[];
  active?: boolean | undefined;
}): string {
  const facts = [
    ...(labels.length > 0
      ? [`labels ${labels.map((name) => JSON.stringify(name)).join(", ")}`]
      : []),
    ...(active === false ? ["inactive"] : []),
  ];
  return facts.length === 0 ? "" : `: ${facts.join("; ")}`;
}

function toName(to: FleetFlow["to"]): string {
  return "label" in to
    ? `label ${JSON.stringify(to.label)}`
    : `device ${to.device.dev_eui.toUpperCase()}`;
}
