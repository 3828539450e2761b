import { textResponse } from "../../serve/responses.ts";
import { addFlow, flowsTo } from "./flow-links.ts";
import { linked } from "./integrations.ts";
import { byId } from "../state/lookup.ts";
import { notFound } from "./errors.ts";
import type { Resource } from "./resource.ts";

const CREATED = "Flow created";

/** Flows from a label or a device to an integration. */
export const flows: Resource<"flows"> = (state) => ({
  list: ({ integration_id }) => {
    const integration = byId(state.integrations, integration_id);
    if (!integration) return notFound("Integration");
    const organization_id = state.organization.id;
    return flowsTo(state, integration.id).map((flow) => ({ ...flow, organization_id }));
  },
  create: ({ integration_id, label_id, device_id, function_id = null }) => {
    const integration = byId(state.integrations, integration_id);
    if (!integration) return notFound("Integration");
    const label = label_id === undefined ? undefined : byId(state.labels, label_id);
    if (label_id !== undefined && !label) return notFound("Label");
    const device = device_id === undefined ? undefined : state.devices.get(device_id);
    if (device_id !== undefined && !device) return notFound("Device");
    const target = { label_id: label?.id ?? null, device_id: device?.id ?? null };
    addFlow(state, { integration_id: integration.id, ...target, function_id });
    if (state.deployment.flowCreated === "text") return textResponse(CREATED);
    return { message: CREATED, ...linked(integration, state) };
  },
  delete: ({ flow_id }) => {
    return state.flows.delete(flow_id.toLowerCase()) ? "Flow deleted" : notFound("Flow");
  },
});
