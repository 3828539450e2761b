import type { PortEvents, PortOutEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const port = { id: "port_01JD3YK9B6" };
const stalled = {
  ...port,
  status_reason: "Account number does not match",
  status_reason_code: "wrong_account_number",
};
const portOut = { id: "pout_01JD3YM2D9" };

export const portSamples: Samples<PortEvents> = {
  "port.created": { object: port },
  "port.submitted": { object: port },
  "port.in_progress": { object: port },
  "port.resolution_required": { object: stalled },
  "port.resolution_expiring": {
    object: { ...stalled, submitted_at: "2026-10-30T08:30:00Z", days_since_submitted: 21 },
  },
  "port.completed": { object: port },
  "port.failed": { object: port },
  "port.cancelled": { object: port },
  "port.out_validation_requested": { object: portOut },
  "port.out_completed": { object: portOut },
  "port.validation_success": { object: port },
  "port.validation_failed": { object: port },
  "port.scheduled": { object: port },
};

export const portOutSamples: Samples<PortOutEvents> = {
  "port_out.requested": { object: portOut },
  "port_out.completed": { object: portOut },
};
