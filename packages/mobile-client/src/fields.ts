import * as z from "zod/mini";
import { openEnum, sensitive } from "@fieldmesh/core/schema";

/** An id that is sent. The published spec shows no form, so any string that is not empty is accepted. */
export const id = z.string().check(z.minLength(1, "must not be empty"));

/** The path of what belongs to a subscriber. */
export const ofSubscriber = {
  /** The id of the subscriber. */
  id,
};

/** Personal data, which reaches no log. */
export const personal = () => sensitive("personal", z.string());

/** Your data that the service keeps with a record. What you put there reaches no log. */
export const metadata = sensitive("personal", z.record(z.string(), z.unknown()));

/** Any value, which the type alone describes, because the published spec does not show the field. It reaches no log. */
export const unchecked = <T>() => sensitive("personal", z.custom<T>());

const hidden = z.optional(sensitive("personal", z.unknown()));

/** A request that the published spec does not show: every field is sent, and none but those named here reaches a log. */
export const openBody = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.catchall(z.object(shape), hidden);

/** A record that the published spec does not show: every field is kept, and none but those named here reaches a log. */
export const privateRecord = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> =>
  // As for `record`, the type says less than the value holds, so that a misspelled field does not compile.
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

/** A record of which the published spec shows no field: it has an id where it has one, and all else is kept. */
export const openRecord = privateRecord({
  /** The id of the record, where it has one. */
  id: z.nullish(z.string()),
});

/** Errors of every call; the published spec shows no status. */
export const usualErrors = {
  400: "The request is malformed",
  401: "The key was not accepted",
  403: "The key is not allowed to do this",
  422: "The input was not accepted",
};

export const notFound = {
  404: "It is not there, or belongs to the other environment: the key alone selects that",
};

/** For calls under an idempotency key. */
export const inFlight = {
  409: "It conflicts with what is there, or a call with this idempotency key is still under way",
};
