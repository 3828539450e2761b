import type { Samples } from "@fieldmesh/http/internal";
import type { eventTypes as rows } from "../event-types.ts";

/** The examples of the endpoints of event types, in wire format. */
export const eventTypes: Samples<typeof rows> = {
  list: { input: {}, output: [{ type: "sim.activated" }, { type: "sim.suspended" }] },
};
