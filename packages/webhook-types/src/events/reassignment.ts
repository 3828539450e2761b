import { type AnyRecord, recordOf, readInput } from "@fieldmesh/core/internal";
import { checkIsEvent } from "./is-event.ts";
import type { WebhookEvent } from "./webhook-event.ts";
import type { SubscriptionStatus } from "./generated/interfaces.ts";

/** How to update your own copy of a line. */
export interface Reassignment {
  /** The member who uses the line. */
  readonly holderSubscriberId: string;
  /** The subscription that a copy should point to. `undefined` if it must not change. */
  readonly repointTo: string | undefined;
  readonly subscriptionStatus: SubscriptionStatus;
}

/**
 * Reads `sim.reassigned` as the spec recommends: store the holder, not the payer, and change the subscription only if the old one
 * is canceled.
 *
 * @example
 * ```ts
 * const { holderSubscriberId, repointTo } = reassignmentOf(event);
 * ```
 */
export function reassignmentOf(event: WebhookEvent<"sim.reassigned">): Reassignment {
  checkIsEvent("reassignmentOf", event);
  return readInput("The argument of reassignmentOf", () => read(event));
}

function read({ data }: WebhookEvent<"sim.reassigned">): Reassignment {
  // A payload that has drifted may lack them.
  const { object, previous_attributes: before } = recordOf(data);
  return readReassignment(recordOf(object), recordOf(before));
}

/** Reads the object of `sim.reassigned` and its previous values. */
export function readReassignment(object: AnyRecord, before: AnyRecord): Reassignment {
  // Both spellings of the status occur (observed).
  const isCancelled = ["cancelled", "canceled"].includes(String(before["subscription_status"]));
  return {
    holderSubscriberId: object["holder_subscriber_id"],
    repointTo: isCancelled ? object["subscription_id"] : undefined,
    subscriptionStatus: object["subscription_status"],
  } as Reassignment;
}
