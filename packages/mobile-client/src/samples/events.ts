import type { Samples } from "@fieldmesh/http/internal";
import type { events as rows } from "../events.ts";

const sample = {
  id: "evt_01JD3Y6M2P5VX8",
  type: "plan.created",
  created_at: "2026-11-20T08:30:00Z",
  livemode: false,
  data: { object: { id: "plan_01JD3YC2K9" } },
  idempotency_key: "idem_01JD3Y6M2P5VX8",
};

/** The examples of the endpoints of events, in wire format. */
export const events: Samples<typeof rows> = {
  list: { input: {}, output: { data: [sample] } },
};
