import type { EventEnvelope, UnknownEvent } from "../events/envelope.ts";
import type { EventMap, EventType, PatternMap } from "../events/webhook-event.ts";
import type { EventContext } from "./event-context.ts";

/** A function that runs for an event. The router awaits its result and collects its errors. */
export type EventHandler<Event> = (event: Event, context: EventContext) => unknown;

/** Events by type: {@link EventMap}, or the `ParsedMap` of your own schemas. */
export type AnyEventMap = { [Type in EventType]: EventEnvelope };

/** Handlers by type, by pattern (`sim.*`, `cpni.verification.*`), for every event (`*`), and for events that no other handler matches (`otherwise`). */
export type EventHandlers<Events extends AnyEventMap = EventMap> = {
  [Type in keyof Events]?: EventHandler<Events[Type]>;
} & {
  [Pattern in keyof PatternMap]?: EventHandler<Events[PatternMap[Pattern]]>;
} & {
  /** Runs for every event, including unknown types, in addition to the handlers of its type and family. */
  "*"?: EventHandler<Events[EventType] | UnknownEvent>;
  /** Runs for events without a handler of their type or family, including unknown types. */
  otherwise?: EventHandler<Events[EventType] | UnknownEvent>;
};

/** Runs the handlers of an event. Create one with `createEventRouter`. */
export interface EventRouter<Events extends AnyEventMap = EventMap> {
  /**
   * Runs all matching handlers in parallel, and waits for all of them.
   *
   * Rejects with an AggregateError of all errors, after the last handler has finished. Without a context, the handlers receive
   * that of a first attempt that never aborts.
   */
  readonly dispatch: (
    event: Events[EventType] | UnknownEvent,
    context?: EventContext,
  ) => Promise<void>;
  /**
   * Whether a handler of this type, of its family or of `*` exists. `otherwise` does not count, and a type that this version does
   * not know reaches `*` only. An order ignores the events of all other types.
   */
  readonly handles: (type: string) => boolean;
}
