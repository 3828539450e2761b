import { createBatch } from "./create-batch.js";
import { addDevice } from "./create-device.js";
import { asFound, inList } from "./device-records.js";
import { notAccepted, notFound, refused } from "./refusals.js";
import type { Resource } from "./resource.js";

/** Devices of the organization. */
export const devices: Resource<"devices"> = (state) => ({
  list: () => Array.from(state.devices.values(), (device) => inList(device, state)),
  get: ({ device_id }) => {
    const device = state.devices.get(device_id);
    return device ? asFound(device, state) : notFound("Device");
  },
  create: (input) => {
    if (state.deployment.singleCreate === "disabled") {
      return refused(403, "This endpoint is disabled; create devices in bulk");
    }
    const added = addDevice(state, input);
    return "rule" in added ? notAccepted({ [added.field]: [added.rule] }) : asFound(added, state);
  },
  createBatch: { unchecked: ({ devices: list }) => createBatch(state, list) },
});
