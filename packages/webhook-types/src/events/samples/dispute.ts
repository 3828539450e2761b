import type { DisputeEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const dispute = {
  id: "dp_01JD3YT6R7",
  payment_id: "pay_01JD3YP1H5",
  status: "needs_response",
  reason: "fraudulent",
};

export const disputeSamples: Samples<DisputeEvents> = {
  "dispute.opened": { object: dispute },
  "dispute.updated": { object: dispute, previous_attributes: { status: "warning_needs_response" } },
  "dispute.closed": { object: { ...dispute, status: "won" } },
};
