import { hasMethod, mistake } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "../events/envelope.ts";
import { type EventStore, isInbox } from "../stores/idempotency-store.ts";
import type { ClaimOrigin, InboxOrder, ObjectClaim, ObjectOrder } from "../stores/object-order.ts";
import { askStore } from "./ask-store.ts";
import type { HandleEventOptions } from "./handle-event-options.ts";
import { checkObjectClaim } from "./store-results.ts";
import { eventOfTenant } from "./tenant-key.ts";

/** Only `true` drops an event, whatever else a custom order returns. */
export async function saysOlder(
  order: ObjectOrder,
  event: EventEnvelope,
  tenant: string | undefined,
): Promise<boolean> {
  const asRead = eventOfTenant(tenant, event);
  const isOlder: unknown = await askStore("isOlder", () => order.isOlder(asRead));
  return isOlder === true;
}

/** Returns a function that remembers the event as it was before its handlers, which may change it. */
export function rememberLater(
  order: ObjectOrder | undefined,
  event: EventEnvelope,
  tenant: string | undefined,
): () => Promise<void> | undefined {
  if (order === undefined) return () => undefined;
  const asRead = eventOfTenant(tenant, event);
  return () => askStore("remember", () => order.remember(asRead));
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
export function canJoin(order: ObjectOrder | undefined, store: EventStore): boolean {
  if (!hasMethod(order, "joins") || !hasMethod(order, "claimObject")) return false;
  return (order as InboxOrder).joins(store);
}

/** Returns a function that claims the object of an event, as it was before its handlers, in a transaction of the inbox. */
export function claimLater(
  order: ObjectOrder | undefined,
  event: EventEnvelope,
  origin: ClaimOrigin,
): (transaction: unknown) => Promise<ObjectClaim | undefined> {
  if (order === undefined) return async () => undefined;
  const asRead = eventOfTenant(origin.tenant, event);
  return async (transaction) => {
    // Checked before the first event.
    const claim: unknown = await askStore("claimObject", () =>
      (order as InboxOrder).claimObject(asRead, transaction, origin),
    );
    checkObjectClaim(claim);
    return claim;
  };
}
