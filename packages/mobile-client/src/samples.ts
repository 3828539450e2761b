// The examples of the endpoints. The sandbox, the docs and the tests read them; a client does not load them.
export { balanceCredits } from "./samples/balance-credits.ts";
export { eventTypes } from "./samples/event-types.ts";
export { events } from "./samples/events.ts";
export { fraudDecisions } from "./samples/fraud-decisions.ts";
export { subscribers } from "./samples/subscribers.ts";
export { subscriptions } from "./samples/subscriptions.ts";
