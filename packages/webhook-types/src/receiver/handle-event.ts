import { isEvent } from "../events/is-event.ts";
import {
  anything,
  hasMethod,
  keepLease,
  mistake,
  mustBe,
  options,
  steadyClock,
  stringifyJson,
  type KeptLease,
  type OptionTable,
} from "@fieldmesh/core/internal";
import type { EventEnvelope } from "../events/envelope.ts";
import type { EventDelivery } from "../router/event-handlers.ts";
import {
  isInbox,
  isStore,
  type EventStore,
  type IdempotencyStore,
} from "../stores/idempotency-store.ts";
import { type EventOutcome, failed, storeFailed } from "./event-outcome.ts";
import { canJoin, checkOrder, prepareOrder, remember, saysOlder } from "./ask-order.ts";
import { anOrder, readPoison } from "./check-options.ts";
import type { EventDispatcher, EventOrigin, HandleEventOptions } from "./handle-event-options.ts";
import { type EarlierFailures, handleInInbox } from "./handle-in-inbox.ts";
import { recordFailure, type PoisonOptions } from "./poison.ts";
import { namingSlow } from "./slow-handlers.ts";
import { checkClaim, checkCompleted, readWait, askStore } from "./ask-store.ts";
import { keyOf } from "./tenant-key.ts";
import { newToken } from "./token.ts";

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
  given: HandleEventOptions,
  delivery?: EventDelivery,
): Promise<EventOutcome> {
  return handleFrom(event, given, { delivery });
}

/** Handles an event like `handleEvent`, for our own packages, which say more of where it comes from. */
export async function handleFrom(
  event: EventEnvelope,
  given: HandleEventOptions,
  origin: EventOrigin,
): Promise<EventOutcome> {
  const own = readOptions(given);
  checkEvent(event);
  checkOrder(own);
  return handleChecked(event, own, origin);
}

/** The checks of the options of `handleEvent` and of `runAgain`, so that a program may pass the same options to both. */
export const aboutEvent: OptionTable<HandleEventOptions & { readonly parse?: never }> = {
  router: { required: aRouter },
  store: { required: aStore },
  order: anOrder,
  lease: anything,
  clock: anything,
  poison: (poison) => readPoison(poison),
  tenant: aTenant,
  parse: anything,
};
const readOptions = /* @__PURE__ */ options("handleEvent", aboutEvent);

function aRouter(router: unknown, _name: string, owner: string): EventDispatcher {
  if (hasMethod(router, "dispatch")) return router as EventDispatcher;
  throw mistake(`${owner} requires a router, such as the result of createEventRouter.`);
}

function aStore(store: unknown, _name: string, owner: string): EventStore {
  if (isStore(store)) return store;
  throw mistake(`${owner} requires a store, such as memoryStore().`);
}

function aTenant(tenant: unknown, name: string): string {
  if (typeof tenant === "string" && tenant !== "" && tenant.isWellFormed()) return tenant;
  throw mustBe(name, "a string that is not empty, or omitted", tenant);
}

/** Two events without an id would count as the same event, and the second one would be dropped. */
export function checkEvent(event: EventEnvelope): void {
  if (isEvent(event)) return;
  throw mistake(
    "handleEvent requires an event with an id and a type, such as the result of parseEvent(body).",
  );
}

/** Handles an event without the checks, because a receiver checks its options once. */
export async function handleChecked(
  event: EventEnvelope,
  own: HandleEventOptions,
  origin: EventOrigin,
): Promise<EventOutcome> {
  const { store, poison, tenant } = own;
  const { body, isKept = false } = origin;
  // A handler may change the event, so the id and the type that were read are claimed, counted and stored.
  const { type } = event;
  const id = keyOf(tenant, event.id);
  const source = body ?? copyFor(poison, event);
  const failures = { mayExist: true };
  const result = isInbox(store)
    ? await handleInInbox(event, id, store, own, failures, origin)
    : await handleWithLease(event, id, store, own, failures, origin);
  if (poison === undefined) return result;
  if (result.outcome === "failed") return recordFailure({ id, type }, result.error, poison, source);
  if (!DONE.has(result.outcome) || !(failures.mayExist || isKept)) return result;
  try {
    // After the mark: if a crash leaves a done event in the list, running it again reports a duplicate.
    await askStore("remove", () => poison.store.remove(id));
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

async function handleWithLease(
  event: EventEnvelope,
  id: string,
  store: IdempotencyStore,
  own: HandleEventOptions,
  failures: EarlierFailures,
  { delivery, body = event, evenIfOlder = false }: EventOrigin,
): Promise<EventOutcome> {
  const { router, lease: duration = DEFAULT_LEASE, clock: given, tenant } = own;
  const token = newToken();
  const clock = steadyClock(given);
  let lease: KeptLease | undefined;
  try {
    const prepared = await prepareOrder(event, own, body);
    const asked = prepared === "unreadable" ? undefined : prepared;
    const free = () => release(store, id, token);
    // Before the claim, because a slow order must not use up the time of the lease. At the same moment if they share a round trip.
    const isOlder = () => asked !== undefined && saysOlder(asked);
    const sharing = asked !== undefined && canJoin(asked.order, store);
    const older = sharing ? isOlder() : await isOlder();
    const endsAt = clock.now() + duration;
    // A claim that succeeds only after the limit, or without a result of the order, is released, so that the retry of the sender gets the event.
    const claiming = askStore("claim", () => store.claim(id, token, duration), free);
    const [isOld, claim] = await Promise.all([older, claiming]).catch(async (error: unknown) => {
      await claiming.then(free, () => undefined);
      throw error;
    });
    checkClaim(claim);
    if (claim.status === "done") return { outcome: "duplicate" };
    if (claim.status === "in_progress")
      return { outcome: "in_progress", retryIn: readWait(claim.endsIn) };
    if (clock.now() >= endsAt) return { outcome: "lease_lost" };
    const isDropped = isOld && !evenIfOlder;
    if (!isDropped) {
      const extend = () => askStore("extend", () => store.extend(id, token, duration));
      const lost = new AbortController();
      const reason = () => new DOMException(LEASE_LOST, "AbortError");
      lease = keepLease({ extend, duration, endsAt, clock, lost, reason });
      try {
        const { attempt } = claim;
        failures.mayExist = attempt > 1 || store.remembers === 0;
        const isAmbiguous = isOld || prepared === "unreadable";
        const context = {
          idempotencyKey: id,
          attempt,
          delivery,
          // Created when a handler reads it, and most read none.
          get signal() {
            return lost.signal;
          },
          ...(tenant !== undefined && { tenant }),
          ...(isAmbiguous && { order: "ambiguous" as const }),
        };
        await namingSlow(event, () => router.dispatch(event as never, context));
      } catch (error) {
        // Report the failure of the handler. If the store fails as well, the lease expires.
        await release(store, id, token);
        return failed(error);
      }
    }
    const completing = askStore("complete", () => store.complete(id, token));
    const remembering = asked !== undefined && !isDropped && (() => remember(asked));
    const [isMine] = await Promise.all([completing, sharing && remembering && remembering()]);
    checkCompleted(isMine);
    if (!isMine) return { outcome: "lease_lost" };
    if (isDropped) return { outcome: "superseded" };
    // After the mark, so that a failing order does not run a handler again.
    if (!sharing && remembering) await remembering();
    return { outcome: "handled" };
  } catch (error) {
    return storeFailed(error);
  } finally {
    lease?.end();
  }
}

const LEASE_LOST = "The lease of this event is lost: another process may have it.";

async function release(store: IdempotencyStore, id: string, token: string): Promise<void> {
  try {
    await askStore("release", () => store.release(id, token));
  } catch {
    // The lease expires.
  }
}
