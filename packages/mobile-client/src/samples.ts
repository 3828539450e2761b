import type { Samples } from "@fieldmesh/http/internal";
import type { balanceCredits as creditRows } from "./balance-credits.ts";
import type { eventTypes as typeRows } from "./event-types.ts";
import type { events as eventRows } from "./events.ts";
import type { fraudDecisions as decisionRows } from "./fraud-decisions.ts";
import type { subscribers as subscriberRows } from "./subscribers.ts";
import type { subscriptions as subscriptionRows } from "./subscriptions.ts";

// The examples of the endpoints, in wire format. The sandbox, the docs and the tests read them; a client does not load them.

const subscriber = {
  id: "sub_01JD3Y7Q4W8TQ2",
  email: "ada@example.com",
  name: "Ada Example",
  phone: null,
};

/** The examples of the endpoints of subscribers. */
export const subscribers: Samples<typeof subscriberRows> = {
  create: { input: { email: subscriber.email, name: subscriber.name }, output: subscriber },
  get: { input: { id: subscriber.id }, output: subscriber },
  delete: { input: { id: subscriber.id }, output: { id: subscriber.id } },
};

const subscription = {
  id: "subn_01JD3YB6A1",
  status: "pending_activation",
  subscriber_id: subscriber.id,
  plan_id: "plan_01JD3YC2K9",
};

/** The examples of the endpoints of subscriptions. */
export const subscriptions: Samples<typeof subscriptionRows> = {
  create: {
    input: { subscriber_id: subscriber.id, plan_id: subscription.plan_id },
    output: subscription,
  },
  renewal: { input: { id: subscription.id }, output: { id: "rnw_01JD3YM8R2" } },
};

/** The examples of the endpoints of balance credits. */
export const balanceCredits: Samples<typeof creditRows> = {
  create: {
    input: { id: subscriber.id, amount_cents: 500 },
    output: { id: "cred_01JD3YK4Z8" },
  },
};

/** The examples of the endpoints of event types. */
export const eventTypes: Samples<typeof typeRows> = {
  list: { input: {}, output: [{ type: "sim.activated" }, { type: "sim.suspended" }] },
};

const event = {
  id: "evt_01JD3Y6M2P5VX8",
  type: "plan.created",
  created_at: "2026-11-20T08:30:00Z",
  livemode: false,
  data: { object: { id: subscription.plan_id } },
  idempotency_key: "idem_01JD3Y6M2P5VX8",
};

/** The examples of the endpoints of events. */
export const events: Samples<typeof eventRows> = {
  list: { input: {}, output: { data: [event] } },
};

/** The examples of the endpoints of fraud decisions. */
export const fraudDecisions: Samples<typeof decisionRows> = {
  create: {
    input: { subject: { email: subscriber.email } },
    output: { decision: "allow", score: 0.1, reasons: [], mode: "monitor" },
  },
};
