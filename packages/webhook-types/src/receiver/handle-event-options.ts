import type { Clock } from "@fieldmesh/core";
import type { EventContext, EventDelivery } from "../router/event-handlers.ts";
import type { EventStore } from "../stores/idempotency-store.ts";
import type { ObjectOrder } from "../stores/object-order.ts";
import type { PoisonOptions } from "./poison.ts";

/** Runs the handlers of an event: a router, or an object with its `dispatch`. */
export interface EventDispatcher {
  /**
   * Runs the handlers of an event. Rejects with the error of a handler. A router of any map accepts what its own parser creates:
   * the types of both were checked where they were combined.
   */
  dispatch(event: never, context: EventContext): Promise<void>;
  /** Whether it has a handler of its own for a type. An order ignores all other events. @default every type is handled */
  handles?(type: string): boolean;
}

/** How to handle an event, wherever it comes from. */
export interface HandleEventOptions {
  /** Runs the handlers. */
  readonly router: EventDispatcher;
  /** Remembers the handled events, so that none is handled twice. */
  readonly store: EventStore;
  /**
   * Drops an event if a newer one of the same object was already handled: `memoryOrder`, `sqliteOrder`, `redisOrder`, `postgresOrder`.
   * With an inbox, the order of the same database is required, because both are written in one transaction.
   *
   * An event counts only if `handles` of the router is true for its type, or if it is a deletion or a redaction: another one is
   * acknowledged and changes nothing. A mirror counts all. A `created_at` more than 5 minutes ahead counts as the time of the first
   * claim. An event whose `created_at` cannot be read is handled. `console.warn` names both.
   *
   * @default none: every event is handled
   */
  readonly order?: ObjectOrder | undefined;
  /**
   * The tenant of the event, if the receiver has the secrets of many. It is a part of the keys of the store and of the order, so
   * that no tenant can use up an id of another one.
   */
  readonly tenant?: string | undefined;
  /** How many milliseconds an event stays with a process that has crashed. Extended while handlers run. @default 30_000 */
  readonly lease?: number | undefined;
  /** The clock for leases and waits, which never goes backwards by default, and for dates that are ahead. @default that of the machine */
  readonly clock?: Clock | undefined;
  /**
   * Sets an event aside when it keeps failing, so that its sender stops retrying: see `runAgain`.
   *
   * @default off: an event fails until its handlers succeed, or until the sender stops
   */
  readonly poison?: PoisonOptions | undefined;
}

/** Where an event comes from. */
export interface EventOrigin {
  readonly delivery?: EventDelivery | undefined;
  /** What a payload is kept from, because a custom parser may have changed the event. */
  readonly body?: unknown;
  /** Aborts when the sender has disconnected. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it was kept by `poison`, however long ago. */
  readonly isKept?: boolean | undefined;
  /** Whether its handlers run although a newer event of its object was handled. Their `order` is then `ambiguous`. */
  readonly evenIfOlder?: boolean | undefined;
}
