import type { PortEvents, PortOutEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const port = { id: "port_01JD3YK9B6", subscriber_id: "sub_01JD3Y7Q4W8TQ2", status: "in_progress" };
const stalled = {
  ...port,
  status: "resolution_required",
  status_reason: "Account number does not match",
  status_reason_code: "wrong_account_number",
};
const portOut = { id: "pout_01JD3YM2D9", sim_id: "sim_01JD3YF3T9" };

export const portSamples: Samples<PortEvents> = {
  "port.created": { object: { ...port, status: "draft" } },
  "port.submitted": {
    object: { ...port, status: "submitted", submitted_at: "2026-10-30T08:30:00Z" },
  },
  "port.in_progress": { object: port },
  "port.resolution_required": { object: stalled },
  "port.resolution_expiring": {
    object: { ...stalled, submitted_at: "2026-10-30T08:30:00Z", days_since_submitted: 21 },
  },
  "port.completed": { object: { ...port, status: "completed" } },
  "port.failed": { object: { ...stalled, status: "failed" } },
  "port.cancelled": { object: { ...port, status: "cancelled" } },
  "port.out_validation_requested": { object: portOut },
  "port.out_completed": { object: portOut },
  "port.validation_success": { object: port },
  "port.validation_failed": {
    object: { ...port, status_reason: "Wrong PIN", status_reason_code: "wrong_pin" },
  },
  "port.scheduled": { object: { ...port, scheduled_for: "2026-11-23T14:00:00Z" } },
};

export const portOutSamples: Samples<PortOutEvents> = {
  "port_out.requested": { object: portOut },
  "port_out.completed": { object: portOut },
};
