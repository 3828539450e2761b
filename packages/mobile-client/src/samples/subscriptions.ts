import type { Samples } from "@fieldmesh/http/internal";
import type { subscriptions as rows } from "../subscriptions.ts";

const sample = {
  id: "subn_01JD3YB6A1",
  status: "pending_activation",
  subscriber_id: "sub_01JD3Y7Q4W8TQ2",
  plan_id: "plan_01JD3YC2K9",
};

/** The examples of the endpoints of subscriptions, in wire format. */
export const subscriptions: Samples<typeof rows> = {
  create: {
    input: { subscriber_id: sample.subscriber_id, plan_id: sample.plan_id },
    output: sample,
  },
  renewal: { input: { id: sample.id }, output: { id: "rnw_01JD3YM8R2" } },
};
