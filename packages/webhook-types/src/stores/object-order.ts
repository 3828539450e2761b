import type { EventEnvelope } from "../events/envelope.ts";
import { readEventTime } from "../events/event-time.ts";
import { familyOf } from "../events/pattern.ts";
import type { EventStore } from "./idempotency-store.ts";

/**
 * Distinguishes older from newer events of an object. It stores the kinds and ids of objects, and times. Two events concern the
 * same object if their types have the same part before the first dot, and `data.object` has the same id.
 */
export interface ObjectOrder {
  /** Whether a newer event of the same object was already handled. */
  isOlder(event: EventEnvelope): Promise<boolean>;
  /** Receives each handled event. */
  remember(event: EventEnvelope): Promise<void>;
  /**
   * Keeps the time of the first claim of an event whose `created_at` is more than 5 minutes ahead, and resolves with it: `now`, or
   * what it was before, in whatever process. From then on, it is the time of this event for all other methods, also when its
   * `created_at` is no longer ahead. It is not undone with a transaction, because the handlers of the event may fail.
   *
   * With a tenant, the id of the event begins with it. `now` is in whole milliseconds since 1970.
   *
   * @default - each claim counts as the first one
   */
  firstClaim?(event: EventEnvelope, now: number, origin: ClaimOrigin): Promise<number>;
}

/**
 * An order that an inbox claims in the transaction of an event, so that the order of an object and what handlers write about it
 * are committed together.
 */
export interface InboxOrder extends ObjectOrder {
  /** Whether it is stored where an inbox has its transactions, or a store its leases. */
  joins(store: EventStore): boolean;
  /**
   * Compares an event with the newest one of its object, remembers the newer one, and locks the object until the transaction
   * ends, unless the event is older. A rollback undoes it. `transaction` is that of the inbox. With a tenant, the ids of the event
   * and of its object begin with it.
   *
   * Resolves with `undefined` for an event whose object has no id.
   */
  claimObject(
    event: EventEnvelope,
    transaction: unknown,
    origin?: ClaimOrigin,
  ): Promise<ObjectClaim | undefined>;
  /** Whether it works in an inbox only, so that a receiver with a lease store rejects it. */
  readonly needsInbox?: boolean | undefined;
  /** Whether it stores every event, as a mirror does, so that it also orders those that no handler receives. */
  readonly storesEveryEvent?: boolean | undefined;
}

/** Where an event that is claimed comes from. */
export interface ClaimOrigin {
  /** The tenant of the event, if the receiver has the secrets of many. */
  readonly tenant?: string | undefined;
  /** The verified body of the delivery, or the event itself if it was read from the stored events. */
  readonly source: unknown;
}

/**
 * The place of an event among those of its object: `newest`, `older` than one that was handled, or `ambiguous` if one of the same
 * time was handled. `locked` if another transaction holds the object for too long: this one must be rolled back.
 */
export type ObjectClaim = "newest" | "ambiguous" | "older" | "locked";

/** An object, as an event shows it. */
export interface Sighting {
  /** For example `sim.sim_01JD3YF3T9`. The spec does not say that an id is unique among all kinds of objects. */
  readonly key: string;
  /** When the event was created, in milliseconds since 1970, with a fraction for microseconds. */
  readonly time: number;
  /** Where the time of its first claim is kept instead, if `created_at` is wrong. */
  readonly firstClaim: string;
}

/** Returns a function of an event that asks about its object. `none` is the result for an object that cannot be identified. */
export function ofObject<T, None>(
  none: None,
  ask: (seen: Sighting, transaction?: unknown) => Promise<T>,
): (event: EventEnvelope, transaction?: unknown) => Promise<T | None> {
  return async (event, transaction) => {
    const seen = sightingOf(event);
    return seen === undefined ? none : ask(seen, transaction);
  };
}

/** Returns `undefined` if the object cannot be identified: some snapshots, such as the preview of an invoice, have no id. */
function sightingOf(event: EventEnvelope): Sighting | undefined {
  const { id } = (event.data["object"] ?? {}) as { id?: unknown };
  const read = readEventTime(event);
  if (typeof id !== "string" || id === "" || !("time" in read)) return undefined;
  const key = `${familyOf(event.type)}.${id}`;
  return { key, time: read.time, firstClaim: firstClaimKey(event) };
}

/** Returns the key of a first claim. No key of an object begins like this: no family contains a blank. */
export function firstClaimKey({ id }: EventEnvelope): string {
  return `first claim.${id}`;
}
