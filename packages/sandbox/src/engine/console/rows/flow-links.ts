import type { ConsoleState, FlowRecord } from "../state/state.ts";

export function addFlow(state: ConsoleState, flow: Omit<FlowRecord, "id">): void {
  const id = state.newId();
  state.flows.set(id, { id, ...flow });
}

export function flowsTo({ flows }: ConsoleState, integration_id: string): FlowRecord[] {
  return [...flows.values()].filter((flow) => flow.integration_id === integration_id);
}

export function deleteFlows({ flows }: ConsoleState, isGone: (flow: FlowRecord) => boolean): void {
  for (const flow of flows.values()) if (isGone(flow)) flows.delete(flow.id);
}

interface Link {
  readonly id: string;
  readonly name: string;
}

/** Returns each label and device from which a flow leads to an integration. */
export function linksOf(
  integration_id: string,
  state: ConsoleState,
): { labels: Link[]; devices: Link[] } {
  const labels = new Map<string, Link>();
  const devices = new Map<string, Link>();
  for (const { label_id, device_id } of flowsTo(state, integration_id)) {
    const label = label_id === null ? undefined : state.labels.get(label_id);
    const device = device_id === null ? undefined : state.devices.get(device_id);
    if (label) labels.set(label.id, { id: label.id, name: label.name });
    if (device) devices.set(device.id, { id: device.id, name: device.name });
  }
  return { labels: [...labels.values()], devices: [...devices.values()] };
}
