import { isStore } from "../stores/is-store.ts";
import { isEvent } from "../events/is-event.ts";
import {
  type Clock,
  systemClock,
  checkOptionNames,
  hasMethod,
  stringifyJson,
} from "@fieldmesh/core";
import type { EventEnvelope } from "../events/envelope.ts";
import type { EventContext, EventDelivery } from "../router/event-context.ts";
import type {
  EventStore,
  IdempotencyStore,
  Inbox,
  InboxTransaction,
} from "../stores/idempotency-store.ts";
import type { EventOutcome } from "./event-outcome.ts";
import { rememberLater, saysOlder } from "./ask-order.ts";
import { keepLease, newToken, type Lease } from "./lease.ts";
import { checkPoison, recordFailure, type PoisonOptions } from "./poison.ts";
import { checkClaim, checkCommitted, checkCompleted, readWait, RETRY_IN } from "./store-results.ts";
import { traceStore } from "./trace-store.ts";
import type { ObjectOrder } from "../stores/object-order.ts";

/** Runs the handlers of an event: a router, or an object with its `dispatch`. */
export interface EventDispatcher {
  /** Runs the handlers of an event. Rejects with the error of a handler. */
  dispatch(event: never, context: EventContext): Promise<void>;
}

/** How to handle an event, wherever it comes from. */
export interface HandleEventOptions {
  /** Runs the handlers. */
  readonly router: EventDispatcher;
  /** Remembers the handled events, so that none is handled twice. */
  readonly store: EventStore;
  /**
   * Drops an event if a newer one of the same object was already handled: `memoryOrder`, `redisOrder`, `postgresOrder`.
   *
   * @default none: every event is handled
   */
  readonly order?: ObjectOrder | undefined;
  /** How many milliseconds an event stays with a process that has crashed. Extended while handlers run. @default 30_000 */
  readonly lease?: number | undefined;
  /** The clock for leases and waits. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Sets an event aside when it keeps failing, so that its sender stops retrying: see `runAgain`.
   *
   * @default off: an event fails until its handlers succeed, or until the sender stops
   */
  readonly poison?: PoisonOptions | undefined;
}

const NAMES: Readonly<Record<keyof HandleEventOptions, true>> = {
  router: true,
  store: true,
  order: true,
  lease: true,
  clock: true,
  poison: true,
};
const DEFAULT_LEASE = 30_000;

/**
 * Handles one parsed event: claims it, runs its handlers, and marks it as done. Never rejects because of a handler or the store.
 * A TypeError says that an argument is not an event, a store or a router.
 *
 * This is the receiver without HTTP, for events that arrive in another way. With the same store, no event is handled twice,
 * whichever way it arrives.
 *
 * @example
 * ```ts
 * const { outcome } = await handleEvent(event, { router, store: memoryStore() });
 * ```
 */
export async function handleEvent(
  event: EventEnvelope,
  options: HandleEventOptions,
  delivery?: EventDelivery,
): Promise<EventOutcome> {
  // `parse` is an option of runAgain, which passes its options on.
  checkOptionNames("handleEvent", options, [...Object.keys(NAMES), "parse"]);
  checkHandling(event, options);
  return handleChecked(event, options, delivery);
}

/**
 * Handles an event without the checks, because a receiver checks its options once. `body` is what a payload is kept from, because
 * a custom parser may have changed the event.
 */
export async function handleChecked(
  event: EventEnvelope,
  options: HandleEventOptions,
  delivery: EventDelivery | undefined,
  body?: unknown,
): Promise<EventOutcome> {
  const { store, poison } = options;
  // A handler may change the event, so the id and the type that were read are claimed, counted and stored.
  const { id, type } = event;
  const source = body ?? copyFor(poison, event);
  const result = isInbox(store)
    ? await handleInInbox(event, store, options, delivery)
    : await handleWithLease(event, store, options, delivery);
  if (poison === undefined) return result;
  if (result.outcome === "failed") return recordFailure({ id, type }, result.error, poison, source);
  if (!DONE.has(result.outcome)) return result;
  try {
    // After the mark: if a crash leaves a done event in the list, running it again reports a duplicate.
    await traceStore("remove", () => poison.store.remove(id));
    return result;
  } catch (error) {
    return { outcome: "store_failed", error };
  }
}

/** Returns what a payload is kept from if there is only the event. */
function copyFor(poison: PoisonOptions | undefined, event: EventEnvelope): unknown {
  if (poison?.store.payload === undefined) return event;
  try {
    return stringifyJson(event, { reveal: true });
  } catch {
    return event;
  }
}

const DONE: ReadonlySet<EventOutcome["outcome"]> = new Set(["handled", "duplicate", "superseded"]);

/** Throws a TypeError for invalid arguments. */
export function checkHandling(event: EventEnvelope, options: HandleEventOptions): void {
  const mistake = mistakeIn(event, options);
  if (mistake !== undefined) throw new TypeError(mistake);
  if (options.poison !== undefined) checkPoison(options.poison);
}

/** Two events without an id would count as the same event, and the second one would be dropped. */
function mistakeIn(event: EventEnvelope, options: HandleEventOptions): string | undefined {
  if (!isEvent(event))
    return "handleEvent requires an event with an id and a type, such as the result of parseEvent(body).";
  if (!isStore(options?.store)) return "handleEvent requires a store, such as memoryStore().";
  if (!hasMethod(options.router, "dispatch"))
    return "handleEvent requires a router, such as the result of createEventRouter.";
  return undefined;
}

function isInbox(store: EventStore): store is Inbox {
  return "run" in store;
}

async function handleWithLease(
  event: EventEnvelope,
  store: IdempotencyStore,
  { router, order, lease: duration = DEFAULT_LEASE, clock = systemClock }: HandleEventOptions,
  delivery: EventDelivery | undefined,
): Promise<EventOutcome> {
  const { id } = event;
  const token = newToken();
  let lease: Lease | undefined;
  try {
    // Before the claim, because a slow order must not use up the time of the lease.
    const isOld = order !== undefined && (await saysOlder(order, event));
    const remember = rememberLater(order, event);
    const claimedUntil = clock.now() + duration;
    const claim = await traceStore("claim", () => store.claim(id, token, duration));
    checkClaim(claim);
    if (claim.status === "done") return { outcome: "duplicate" };
    if (claim.status === "in_progress")
      return { outcome: "in_progress", retryIn: readWait(claim.endsIn) };
    if (clock.now() >= claimedUntil) return { outcome: "lease_lost" };
    if (!isOld) {
      const extend = async () => traceStore("extend", () => store.extend(id, token, duration));
      lease = keepLease({ extend, duration, claimedUntil, clock });
      const { signal } = lease;
      try {
        const context = { idempotencyKey: id, attempt: claim.attempt, delivery, signal };
        await dispatch(router, event, context);
      } catch (error) {
        // Report the failure of the handler. If the store fails as well, the lease expires.
        await release(store, id, token);
        return { outcome: "failed", error };
      }
    }
    const isMine = await traceStore("complete", () => store.complete(id, token));
    checkCompleted(isMine);
    if (!isMine) return { outcome: "lease_lost" };
    if (isOld) return { outcome: "superseded" };
    // After the mark, so that a failing order does not run a handler again.
    await remember();
    return { outcome: "handled" };
  } catch (error) {
    return { outcome: "store_failed", error };
  } finally {
    lease?.end();
  }
}

async function handleInInbox(
  event: EventEnvelope,
  inbox: Inbox,
  { router, order }: HandleEventOptions,
  delivery: EventDelivery | undefined,
): Promise<EventOutcome> {
  const { id } = event;
  let failure: Failure | undefined;
  let hasRun = false;
  try {
    // Before the transaction: an order that shares its pool must not wait for a connection while holding one.
    const isOld = order !== undefined && (await saysOlder(order, event));
    const remember = rememberLater(order, event);
    const work = async ({ signal, enter }: InboxTransaction): Promise<void> => {
      const context = { idempotencyKey: id, attempt: 1, delivery, signal };
      enter(context);
      try {
        if (!isOld) await dispatch(router, event, context);
        hasRun = true;
      } catch (error) {
        failure = { error };
        // Thrown again, so that the writes of the other handlers are undone together with the mark.
        throw error;
      }
    };
    const outcome: unknown = await traceStore("run", () => inbox.run(id, work));
    if (outcome === "in_progress") return { outcome, retryIn: RETRY_IN };
    if (outcome === "done") return { outcome: "duplicate" };
    checkCommitted(outcome, hasRun);
    if (isOld) return { outcome: "superseded" };
    await remember();
    return { outcome: "handled" };
  } catch (error) {
    return failure === undefined
      ? { outcome: "store_failed", error }
      : { outcome: "failed", error: failure.error };
  }
}

async function release(store: IdempotencyStore, id: string, token: string): Promise<void> {
  try {
    await traceStore("release", () => store.release(id, token));
  } catch {
    // The lease expires.
  }
}

interface Failure {
  readonly error: unknown;
}

function dispatch(
  router: EventDispatcher,
  event: EventEnvelope,
  context: EventContext,
): Promise<void> {
  // A router of any map accepts what its own parser creates. The types of both were checked where they were combined.
  return router.dispatch(event as never, context);
}
