import * as z from "zod/mini";
import { openEnum, record, sensitive } from "@fieldmesh/core/schema";

/** An id that is sent. The published spec shows no form, so any string that is not empty is accepted. */
export const id = z.string().check(z.minLength(1, "must not be empty"));

/** Personal data, which reaches no log. */
export const personal = () => sensitive("personal", z.string());

/** Your data that the service keeps with a record. */
export const metadata = z.record(z.string(), z.unknown());

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
export const openRecord = record({ id: z.nullish(z.string()) });

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
