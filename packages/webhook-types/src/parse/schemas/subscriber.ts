import * as z from "zod/mini";
import type { SubscriberEvents, AddressEvents } from "../../catalog/subscriber.ts";
import {
  once,
  change,
  data,
  open,
  openEnum,
  resource,
  sensitive,
  text,
  type Rows,
} from "./fields.ts";

const lockedStatus = () => openEnum("user_initiated_lock", "unlocked");

/** Events never hold personal data of a subscriber; should a deployment break this rule, it stays out of logs. */
const hidden = () => sensitive("personal", z.null());

const redacted = () => z.optional(sensitive("personal", z.unknown()));

const subscriberFields = () => ({
  email: hidden(),
  phone: hidden(),
  date_of_birth: hidden(),
  pii_redacted: z.literal(true),
  locked_status: z.nullish(lockedStatus()),
  payment_updates_blocked_until: text(),
  payment_updates_blocked_reason: text(),
});
const subscriber = once(() => resource(subscriberFields()));
const subscriberWithLock = once(() =>
  resource({ ...subscriberFields(), locked_status: lockedStatus() }),
);
const blockedSubscriber = () =>
  resource({
    ...subscriberFields(),
    payment_updates_blocked_until: z.string(),
    payment_updates_blocked_reason: z.string(),
  });
const subscriberBefore = () =>
  open({
    email: redacted(),
    phone: redacted(),
    date_of_birth: redacted(),
    locked_status: z.nullish(lockedStatus()),
    payment_updates_blocked_until: text(),
    payment_updates_blocked_reason: text(),
  });
const redactedData = () =>
  z.extend(data(subscriber()), {
    scopes: z.optional(z.unknown()),
    cleared_fields: z.optional(z.unknown()),
  });
const address = () => sensitive("personal", resource({}));

export const subscriberRows = {
  "subscriber.created": () => data(subscriber()),
  "subscriber.locked": () => data(subscriberWithLock()),
  "subscriber.unlocked": () => data(subscriberWithLock()),
  "subscriber.updated": () => change(subscriber(), subscriberBefore()),
  "subscriber.deleted": () => data(subscriber()),
  "subscriber.redacted": redactedData,
  "subscriber.payment_updates_blocked": () => data(blockedSubscriber()),
  "subscriber.payment_updates_unblocked": () => data(subscriber()),
} satisfies Rows<SubscriberEvents>;

export const addressRows = {
  "address.updated": () => data(address()),
} satisfies Rows<AddressEvents>;
