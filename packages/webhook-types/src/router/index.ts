export { createEventRouter } from "./create-event-router.js";
export type { EventHandler, EventHandlers, EventRouter } from "./event-handlers.js";
export type { EventContext, EventDelivery } from "./event-context.js";
