import { addDevice, createBatch } from "./create-devices.ts";
import { removeFromLabel } from "./labels.ts";
import { asFound, inList, lookedUp } from "./device-records.ts";
import { eventsOf, integrationEventsOf } from "./events.ts";
import { deleteFlows } from "./flow-links.ts";
import { byId } from "../state/lookup.ts";
import { consoleError, fieldErrors, ifFound, notAccepted, notFound } from "./errors.ts";
import { devices as table } from "@fieldmesh/console-client/endpoints";
import type { Call } from "../../serve/call.ts";
import { misfitsOf } from "../../serve/read-input.ts";
import type { ConsoleState, DeviceChange, DeviceRecord } from "../state/state.ts";
import type { Resource } from "./resource.ts";

export const devices: Resource<"devices"> = (state) => ({
  list: (_, { url }) => {
    const text = (name: string) => url.searchParams.get(name) ?? undefined;
    const [dev_eui, app_eui, app_key] = [text("dev_eui"), text("app_eui"), text("app_key")];
    // The two others filter only beside the first (observed).
    const found =
      dev_eui === undefined
        ? [...state.devices.values()]
        : state.devices.find({ dev_eui, app_eui, app_key });
    if (dev_eui !== undefined && found.length === 0) return consoleError(404, "Devices not found");
    return found.map((device) => inList(device, state));
  },
  find: (euis) => {
    const [first, ...others] = state.devices.find(euis);
    return first ? lookedUp([first, ...others], state) : notFound("Device");
  },
  get: ({ device_id }) => withDevice(state, device_id, (device) => asFound(device, state)),
  events: ({ device_id }) => withDevice(state, device_id, (device) => eventsOf(device, state)),
  integrationEvents: ({ device_id }) =>
    withDevice(state, device_id, (device) => integrationEventsOf(device, state)),
  create: (input) => {
    if (state.deployment.singleCreate === "disabled") {
      return consoleError(403, "This endpoint is disabled; create devices in bulk");
    }
    const added = addDevice(state, input);
    return "rule" in added ? notAccepted({ [added.field]: [added.rule] }) : asFound(added, state);
  },
  createBatch: { unchecked: (input) => createBatch(state, input["devices"]) },
  delete: ({ id }) =>
    withDevice(state, id, (device) => {
      state.devices.delete(device.id);
      deleteFlows(state, (flow) => flow.device_id === device.id);
      return "Device deleted";
    }),
  setActive: ({ device_id }, { input }) =>
    withDevice(state, device_id, (device) => change(device, input, state)),
  setActiveByEui: ({ active, ...euis }) => {
    const found = state.devices.find(euis).map((each) => state.devices.update(each, { active }));
    const [first] = found;
    if (!first) return notFound("Device");
    // One record if all three are given, like running deployments.
    const single = euis.app_eui !== undefined && euis.app_key !== undefined;
    return single ? inList(first, state) : found.map((device) => inList(device, state));
  },
  setConfigProfile: ({ device_id }, { input }) =>
    withDevice(state, device_id, (device) => change(device, input, state)),
  addLabel: ({ device_id, label: label_id }) =>
    withDevice(state, device_id, (device) =>
      ifFound(byId(state.labels, label_id), "Label", ({ id }) => {
        state.devices.update(device, { label_ids: new Set(device.label_ids).add(id) });
        return "Device added to label";
      }),
    ),
  removeLabel: ({ device_id, label_id }) =>
    withDevice(state, device_id, (device) =>
      ifFound(byId(state.labels, label_id), "Label", ({ id }) =>
        removeFromLabel(device, id, state)
          ? "Device removed from label"
          : "Device was not in label",
      ),
    ),
});

/** Makes the changes of a body, of which the row has checked one. */
function change(device: DeviceRecord, input: Call["input"], state: ConsoleState) {
  const names = (["active", "config_profile_id"] as const).filter((name) => name in input);
  if (names.length > 1 && state.deployment.bothChanges === "rejected")
    return notAccepted({ error: [`${names.join(" and ")} can't be changed at once`] });
  const misfits = [table.setActive, table.setConfigProfile].flatMap(({ body }) =>
    misfitsOf("body", body, input).filter(({ path }) => names.includes(path[0] as never)),
  );
  if (misfits.length > 0) return notAccepted(fieldErrors(misfits));
  const changes = Object.fromEntries(names.map((name) => [name, input[name]])) as DeviceChange;
  return inList(state.devices.update(device, changes), state);
}

function withDevice<Output>(
  { devices: all }: ConsoleState,
  id: string,
  respond: (device: DeviceRecord) => Output,
): Output | Response {
  return ifFound(all.get(id), "Device", respond);
}
