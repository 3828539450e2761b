// Why it is so: docs/decisions/21-the-mobile-client-types-what-is-known.md
import * as z from "@fieldmesh/core/internal/zod";
import { openEnum, sensitive } from "@fieldmesh/core/internal/schema";

/** An id in an input. The published spec describes no form, so any non-empty string is accepted. */
export const id = z.string().check(z.minLength(1, "must not be empty"));

/** The path of records that belong to a subscriber. */
export const ofSubscriber = {
  /** The id of the subscriber. */
  id,
};

/** Personal data, which is never logged. */
export const personal = () => sensitive("personal", z.string());

/** Your data that the service stores with a record. It reaches no log. */
export const metadata = sensitive("personal", z.record(z.string(), z.unknown()));

/** Any value. Only the type describes it, because the published spec does not list the field. It reaches no log. */
export const unchecked = <T>() => sensitive("personal", z.custom<T>());

const hidden = z.optional(sensitive("personal", z.unknown()));

/** A request that the published spec does not describe. Every field is sent, and only the fields named here reach a log. */
export const openBody = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.catchall(z.object(shape), hidden);

/** A record that the published spec does not describe. Every field is kept, and only the fields named here reach a log. */
export const privateRecord = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> =>
  // As in `record`, the type declares less than the value contains, so that a misspelled field does not compile.
  openBody(shape) as unknown as z.ZodMiniObject<Shape, z.core.$strip>;

/** Statuses are open everywhere: both `canceled` and `cancelled` are in use, and `draft` exists. */
export const subscriptionStatus = openEnum(
  "active",
  "paused",
  "past_due",
  "cancelled",
  "canceled",
  "terminated",
  "pending_activation",
  "draft",
);

/** A record for which the published spec lists no field. Its id is optional, and everything else is kept. */
export const openRecord = privateRecord({
  /** The id of the record, if it has one. */
  id: z.nullish(z.string()),
});

/** The errors of every call. The published spec lists no status. */
export const usualErrors = {
  400: "The request is malformed",
  401: "The key was not accepted",
  403: "The key is not allowed to do this",
  422: "The input was not accepted",
};

export const notFound = {
  404: "The record does not exist, or belongs to another environment (live or sandbox) than the key",
};

/** For calls with an idempotency key. */
export const inFlight = {
  409: "The request conflicts with an existing record, or a call with this idempotency key is still in progress",
};
