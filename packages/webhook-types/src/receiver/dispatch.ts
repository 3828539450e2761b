import type { EventEnvelope } from "../events/envelope.ts";
import type { EventContext } from "../router/event-context.ts";

/** Runs the handlers of an event: a router, or an object with its `dispatch`. */
export interface EventDispatcher {
  /** Runs the handlers of an event. Rejects with the error of a handler. */
  dispatch(event: never, context: EventContext): Promise<void>;
}

export function dispatch(
  router: EventDispatcher,
  event: EventEnvelope,
  context: EventContext,
): Promise<void> {
  // A router of any map accepts what its own parser creates. The types of both were checked where they were combined.
  return router.dispatch(event as never, context);
}
