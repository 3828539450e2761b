export { balanceCredits } from "./balance-credits.ts";
export { eventTypes } from "./event-types.ts";
export { events } from "./events.ts";
export { fraudDecisions } from "./fraud-decisions.ts";
export { subscribers } from "./subscribers.ts";
export { subscriptions } from "./subscriptions.ts";
