import type { EventEnvelope, UnknownEvent } from "../events/envelope.ts";
import type { EventMap, EventType, PatternMap } from "../events/webhook-event.ts";

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

/** What a handler receives besides the event. */
export interface EventContext {
  /**
   * A string that is the same in every delivery and attempt of an event. Pass it to the calls that your handler makes.
   *
   * It is the id of the event, with the tenant before it if there is one. If a handler makes several calls, append a different suffix to each.
   */
  readonly idempotencyKey: string;
  /**
   * The number of the attempt, counted by the store. 1 without a store, and in an inbox, which may run a handler again within one
   * attempt: after a conflict with another transaction, and with the effects of the first run undone.
   */
  readonly attempt: number;
  /** The delivery of the event. `undefined` if the event was read from the stored events. */
  readonly delivery: EventDelivery | undefined;
  /** Aborts when the lease is lost: another process may handle the event, so this one must stop. */
  readonly signal: AbortSignal;
  /**
   * The place of the event among those of its object, claimed in the transaction of an inbox: `newest`, or `ambiguous` if another
   * event of the same `created_at` was handled before, so that nothing says which of the two is newer. With any store, it is
   * `ambiguous` if nobody can read `created_at`, or if it is ahead and the event was read from the list of stored events.
   *
   * `undefined` for every other event without an inbox, without an order, if the object has no id, and in `otherwise`.
   */
  readonly order?: "newest" | "ambiguous" | undefined;
  /** The tenant whose secret signed the delivery, if the receiver has the secrets of many. */
  readonly tenant?: string | undefined;
}

/** One delivery, as its verified signature describes it. */
export interface EventDelivery {
  /** Unix seconds. `undefined` for a scheme without time. */
  readonly signedAt: number | undefined;
  /** The index in `secrets` of the secret that signed. When the old secret no longer occurs, the rotation is complete. */
  readonly secretIndex: number;
  /** The id of the message, if the scheme signs one. */
  readonly messageId: string | undefined;
}

/** The context of an event that you dispatch yourself: a first attempt that never aborts. */
export function contextByHand(id: string): EventContext {
  return {
    idempotencyKey: id,
    attempt: 1,
    delivery: undefined,
    signal: (neverAborted ??= new AbortController()).signal,
  };
}

// Created when it is first needed, so that importing has no effect.
let neverAborted: AbortController | undefined;
