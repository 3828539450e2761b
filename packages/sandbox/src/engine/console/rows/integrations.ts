import type { SampleOf } from "@fieldmesh/http/internal";
import type { integrations as table } from "@fieldmesh/console-client/endpoints";
import { Secret, stringifyJson } from "@fieldmesh/core";
import { deleteFlows, linksOf } from "./flow-links.ts";
import { byId, byName } from "../state/lookup.ts";
import { ifFound, notAccepted } from "./errors.ts";
import type { Resource } from "./resource.ts";
import type { ConsoleState, IntegrationRecord } from "../state/state.ts";

/** Integrations. Their names are unique among all types, and deleting one removes its flows. */
export const integrations: Resource<"integrations"> = (state) => ({
  list: () => Array.from(state.integrations.values(), (each) => linked(each, state)),
  get: ({ integration_id }) =>
    ifFound(byId(state.integrations, integration_id), "Integration", (found) =>
      linked(found, state),
    ),
  find: ({ name }) =>
    ifFound(byName(state.integrations, name), "Integration", (found) => linked(found, state)),
  createPrebuilt: ({ name, type }) => {
    const added = addIntegration(state, name, type);
    return added instanceof Response ? added : linked(added, state);
  },
  createHttp: ({ name, type, ...credentials }) => {
    const target = new Secret(stringifyJson(credentials));
    return create(state, name, type, credentials, target);
  },
  createMqtt: ({ name, type, endpoint, uplink_topic, downlink_topic }) => {
    const topics = { uplink: { topic: uplink_topic }, downlink: { topic: downlink_topic } };
    return create(state, name, type, { endpoint, ...topics });
  },
  createCloudA: ({ name, type, cloudA_primary_key, ...rest }) => {
    // Sent under one name and returned under another, like in running deployments.
    return create(state, name, type, { ...rest, cloudA_policy_key: cloudA_primary_key });
  },
  createCloudB: ({ name, type, ...credentials }) => create(state, name, type, credentials),
  delete: ({ integration_id }) =>
    ifFound(byId(state.integrations, integration_id), "Integration", (integration) => {
      const { id, name } = integration;
      state.integrations.delete(id);
      state.formerIntegrations.set(id, integration);
      deleteFlows(state, (flow) => flow.integration_id === id);
      return { id, name };
    }),
});

type WireIntegration = SampleOf<(typeof table)["get"]>["output"];

/** Returns an integration with its links and without its credentials. */
export function linked({ id, name }: IntegrationRecord, state: ConsoleState): WireIntegration {
  return { id, name, ...linksOf(id, state) };
}

/** Adds an integration, unless its name is taken. */
export function addIntegration(
  state: ConsoleState,
  name: string,
  type: string,
  target?: Secret,
): IntegrationRecord | Response {
  if (byName(state.integrations, name)) return notAccepted({ name: ["has already been taken"] });
  const integration = { id: state.newId(), name, type, target };
  state.integrations.set(integration.id, integration);
  return integration;
}

/** The credentials are only returned here, and only stored if the sandbox uses them to deliver. */
function create(
  state: ConsoleState,
  name: string,
  type: string,
  credentials: object,
  target?: Secret,
): WireIntegration | Response {
  const added = addIntegration(state, name, type, target);
  if (added instanceof Response) return added;
  return { ...linked(added, state), type, credentials: { ...credentials } };
}
