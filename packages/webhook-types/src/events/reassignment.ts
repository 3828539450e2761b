import { guardInput, recordOf } from "@fieldmesh/core";
import { checkIsEvent } from "../check-is-event.ts";
import type { WebhookEvent } from "./webhook-event.ts";
import type { SubscriptionStatus } from "./generated/interfaces.ts";

/** What a mirror of your own should now say about a line. */
export interface Reassignment {
  /** The member who uses the line. */
  readonly holderSubscriberId: string;
  /** Where a mirrored subscription is to point to; `undefined` where it must stay as it is. */
  readonly repointTo: string | undefined;
  readonly subscriptionStatus: SubscriptionStatus;
}

/**
 * Reads `sim.reassigned` as the spec advises: mirror the holder, not the payer, and re-point a mirrored subscription
 * only where the old one is cancelled.
 *
 * @example
 * ```ts
 * const { holderSubscriberId, repointTo } = reassignmentOf(event);
 * ```
 */
export function reassignmentOf(event: WebhookEvent<"sim.reassigned">): Reassignment {
  checkIsEvent("reassignmentOf", event);
  return guardInput("What reassignmentOf got", event, () => read(event));
}

function read({ data }: WebhookEvent<"sim.reassigned">): Reassignment {
  // A payload that has drifted may lack them.
  const { object: line, previous_attributes: before } = recordOf(data) as Partial<typeof data>;
  const object = recordOf(line) as NonNullable<typeof line>;
  // The status is spelt both ways (observed). A payload that has drifted may have no earlier values.
  const isCancelled = ["cancelled", "canceled"].includes(before?.subscription_status ?? "");
  return {
    holderSubscriberId: object.holder_subscriber_id,
    repointTo: isCancelled ? object.subscription_id : undefined,
    subscriptionStatus: object.subscription_status,
  };
}
