export { balanceCredits } from "./balance-credits.js";
export { eventTypes } from "./event-types.js";
export { events } from "./events.js";
export { fraudDecisions } from "./fraud-decisions.js";
export { subscribers } from "./subscribers.js";
export { subscriptions } from "./subscriptions.js";
