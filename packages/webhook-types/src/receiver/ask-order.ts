import {
  hasMethod,
  mistake,
  systemClock,
  getOrInsertComputed,
  printOnceAMinute,
} from "@fieldmesh/core/internal";
import { isRemoval } from "../events/event-types.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import { isAhead, readEventTime } from "../events/event-time.ts";
import { sourceOf } from "../events/source.ts";
import { type EventStore, isInbox } from "../stores/idempotency-store.ts";
import type { ClaimOrigin, InboxOrder, ObjectClaim, ObjectOrder } from "../stores/object-order.ts";
import { askStore, checkObjectClaim, readFirstClaim } from "./ask-store.ts";
import type { EventDispatcher, HandleEventOptions } from "./handle-event-options.ts";
import { eventOfTenant } from "./tenant-key.ts";
import { showEvent } from "../events/show-name.ts";
import { BoundedMap } from "../stores/bounded-map.ts";

/** An order, and the event as it sees it. */
interface Asked {
  readonly order: ObjectOrder;
  /** A copy from before the handlers, which may change the event: with the tenant in its ids, and the time that counts. */
  readonly event: EventEnvelope;
  readonly origin: ClaimOrigin;
}

/** Whether an order is asked about an event, and as of which time. `unreadable` if it would be, but nobody knows the time. */
export async function prepareOrder(
  event: EventEnvelope,
  { order, router, tenant, clock = systemClock }: HandleEventOptions,
  source: unknown,
): Promise<Asked | "unreadable" | undefined> {
  if (order === undefined || !counts(event, order, router)) return undefined;
  const seen = eventOfTenant(tenant, event);
  const origin = { tenant, source };
  const read = readEventTime(event);
  if (!("time" in read)) {
    warnOfDate(order, event, `${read.why}, ${NO_ORDER}`);
    return "unreadable";
  }
  const now = Math.floor(clock.now());
  if (!isAhead(read.time, now)) return { order, event: seen, origin };
  // The list has an event later than its delivery would have come: as of now, it would drop newer ones that were missed as well.
  // One that runs again was claimed before.
  const isListed = sourceOf(event) === "store" && source === event;
  if (isListed && !isRemoval(event)) {
    warnOfDate(order, event, `is more than 5 minutes ahead, ${NO_ORDER}`);
    return "unreadable";
  }
  const keepFirst = () => order.firstClaim?.(seen, now, origin) ?? Promise.resolve(now);
  const first = readFirstClaim(await askStore("firstClaim", keepFirst));
  const created_at = new Date(first).toISOString();
  // Otherwise, it was named when it was claimed first.
  if (first === now)
    warnOfDate(
      order,
      event,
      `is more than 5 minutes ahead, so its order counts it as ${created_at}`,
    );
  return { order, event: { ...seen, created_at }, origin };
}

const NO_ORDER = 'so it has no order: order of its context is "ambiguous"';

/** A late event must not bring back what a deletion has removed, whether a handler has seen it or not. */
function counts(event: EventEnvelope, order: ObjectOrder, router: EventDispatcher): boolean {
  if ((order as InboxOrder).storesEveryEvent === true || isRemoval(event)) return true;
  return !hasMethod(router, "handles") || router.handles?.(event.type) !== false;
}

/** Only `true` drops an event, whatever else a custom order returns. */
export async function saysOlder({ order, event }: Asked): Promise<boolean> {
  const isOlder: unknown = await askStore("isOlder", () => order.isOlder(event));
  return isOlder === true;
}

export function remember({ order, event }: Asked): Promise<void> {
  return askStore("remember", () => order.remember(event));
}

/** Claims the object of an event in a transaction of the inbox. */
export async function claimObject(
  { order, event, origin }: Asked,
  transaction: unknown,
): Promise<ObjectClaim | undefined> {
  // Checked before the first event.
  const claim: unknown = await askStore("claimObject", () =>
    (order as InboxOrder).claimObject(event, transaction, origin),
  );
  checkObjectClaim(claim);
  return claim;
}

export function checkOrder({ order, store }: Pick<HandleEventOptions, "order" | "store">): void {
  if (order === undefined) return;
  if (!isInbox(store) && (order as InboxOrder).needsInbox === true)
    throw mistake(
      "A mirror writes in the transaction of an inbox. Pass store: postgresInbox(pool) or sqliteInbox(database), with the client of the mirror.",
    );
  if (!isInbox(store) || canJoin(order, store)) return;
  throw mistake(
    "order cannot join the transactions of this inbox, so a row could keep an old state. With postgresInbox(pool), pass postgresOrder(pool), with the same pool; with sqliteInbox(database), pass sqliteOrder(database). Other orders need a lease store, such as postgresStore(pool).",
  );
}

/** Whether an order uses the same client of a database as a store. */
export function canJoin(order: ObjectOrder, store: EventStore): boolean {
  if (!hasMethod(order, "joins") || !hasMethod(order, "claimObject")) return false;
  return (order as InboxOrder).joins(store);
}

/** Names an event whose date is wrong: once, however often it is delivered again, and one event a minute. */
function warnOfDate(order: ObjectOrder, event: EventEnvelope, problem: string): void {
  const { named, print } = getOrInsertComputed(warned, order, () => ({
    named: new BoundedMap<true>(MOST_NAMED),
    // oxlint-disable-next-line no-console -- the event is handled, so that no outcome shows it
    print: printOnceAMinute((...lines) => console.warn(...lines)),
  }));
  if (named.get(event.id)) return;
  named.set(event.id, true);
  print(
    "date",
    `created_at of ${showEvent(event)} ${problem}. Check the clock of this machine. If it is right, report the event to the service, and read its object from the API.`,
  );
}

const MOST_NAMED = 1_000;
const warned = /* @__PURE__ */ new WeakMap<
  ObjectOrder,
  { named: BoundedMap<true>; print: ReturnType<typeof printOnceAMinute> }
>();
