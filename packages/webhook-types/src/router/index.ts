export { createEventRouter } from "./create-event-router.ts";
export type { EventHandler, EventHandlers, EventRouter } from "./event-handlers.ts";
export type { EventContext, EventDelivery } from "./event-context.ts";
