import type { NewFlow } from "@fieldmesh/console-client";
import { createOnce } from "../runs/create-once.ts";
import type { Application } from "./application.ts";
import { identityOf } from "./fleet.ts";
import type { NewFlow as PlannedFlow, Plan } from "./plan.ts";
import type { Snapshot } from "./snapshot.ts";

/** Creates the flows of a plan. Returns whether it sent anything. */
export async function createFlows(
  { client, context, state, settleTime }: Application,
  { newFlows }: Plan,
  now: Snapshot,
): Promise<boolean> {
  const toFlow = flowTranslator(now);
  for (const planned of newFlows) {
    const flow = toFlow(planned);
    // Its label, device or integration could not be created. The last plan shows that.
    if (flow === undefined) continue;
    const { integration_id } = flow;
    await createOnce({
      context,
      state,
      what: nameOfFlow(planned),
      create: (how) => client.flows.create(flow, how),
      find: async () =>
        (await client.flows.list({ integration_id }, { signal: context.signal })).find((each) =>
          (["label_id", "device_id", "function_id"] as const).every(
            (field) => (each[field] ?? undefined) === flow[field],
          ),
        ),
      settleTime,
    });
  }
  return newFlows.length > 0;
}

/** Such as `the flow "Lake" from label "Pumps"`. */
function nameOfFlow({ integration, to, function_id }: PlannedFlow): string {
  const from = "label" in to ? `label ${JSON.stringify(to.label)}` : `device ${to.device.dev_eui}`;
  const through = function_id === undefined ? "" : ` through the function ${function_id}`;
  return `the flow ${JSON.stringify(integration)} from ${from}${through}`;
}

/** Translates names and EUIs to the ids of a console. */
function flowTranslator(snapshot: Snapshot): (flow: PlannedFlow) => NewFlow | undefined {
  const integrations = new Map(snapshot.integrations.map(({ id, name }) => [name, id]));
  const labels = new Map(snapshot.labels.map(({ id, name }) => [name, id]));
  const devices = new Map(snapshot.devices.map((device) => [identityOf(device), device.id]));
  return ({ integration, to, function_id }) => {
    const integration_id = integrations.get(integration);
    if (integration_id === undefined) return undefined;
    const common = { integration_id, ...(function_id !== undefined && { function_id }) };
    if ("label" in to) {
      const label_id = labels.get(to.label);
      return label_id === undefined ? undefined : { ...common, label_id };
    }
    const device_id = devices.get(identityOf(to.device));
    return device_id === undefined ? undefined : { ...common, device_id };
  };
}
