export { createEventRouter } from "./create-event-router.ts";
export type { AnyEventMap, EventHandler, EventHandlers, EventRouter } from "./event-handlers.ts";
export type { HandlerMessage, TracedError } from "@fieldmesh/core";
export type { EventContext, EventDelivery } from "./event-context.ts";
