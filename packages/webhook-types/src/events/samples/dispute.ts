import type { DisputeEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const dispute = { id: "dp_01JD3YT6R7" };

export const disputeSamples: Samples<DisputeEvents> = {
  "dispute.opened": { object: dispute },
  "dispute.updated": { object: dispute },
  "dispute.closed": { object: { ...dispute, status: "won" } },
};
