export { createEventRouter } from "./create-event-router.ts";
export type {
  AnyEventMap,
  EventHandler,
  EventHandlers,
  EventRouter,
  EventContext,
  EventDelivery,
} from "./event-handlers.ts";
export type { HandlerMessage, TracedError } from "@fieldmesh/core";
