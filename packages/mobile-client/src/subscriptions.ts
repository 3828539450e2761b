import * as z from "@fieldmesh/core/internal/zod";
import { observed, sensitive, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { endpoint, type Methods } from "@fieldmesh/http/internal";
import {
  id,
  inFlight,
  notFound,
  openBody,
  openRecord,
  privateRecord,
  subscriptionStatus,
  unchecked,
  usualErrors,
} from "./fields.ts";

const newSubscriptionFields = openBody({
  /** Required by running deployments (observed). */
  subscriber_id: z.optional(unchecked<string>()),
  /** Required by running deployments (observed). */
  plan_id: z.optional(unchecked<string>()),
  /** The add-ons to attach. Not in the spec (observed). */
  addons: z.optional(unchecked<unknown[]>()),
  /** How to activate the line. Not in the spec (observed), and its form is not known. */
  activation: z.optional(unchecked<unknown>()),
});
// A value in place of an id is not checked by default, so it reaches no log either.
const hiddenId = () => sensitive("personal", z.string().check(z.minLength(1, "must not be empty")));
const observedSubscription = openBody({
  subscriber_id: hiddenId(),
  plan_id: hiddenId(),
  addons: z.optional(sensitive("personal", z.array(z.unknown()))),
});

/**
 * The input for a new solo or group subscription. The published spec lists no field: all fields are sent, and none is checked
 * unless the client has `observedRules: true`.
 */
export interface NewSubscription extends z.output<typeof newSubscriptionFields> {}

const subscriptionFields = privateRecord({
  /** The id of the subscription. */
  id: z.optional(z.string()),
  /** The status. The service may add values. Both `canceled` and `cancelled` are in use (observed). */
  status: z.nullish(subscriptionStatus),
  /** The id of the subscriber, as `create` sends it (observed). The spec does not show it here. */
  subscriber_id: z.nullish(z.string()),
  /** The id of the plan, as `create` sends it (observed). The spec does not show it here. */
  plan_id: z.nullish(z.string()),
});

/**
 * A subscription. The published spec lists only its statuses, so any field may be absent. At run time, the record has every
 * field that the service sends.
 */
export interface Subscription extends z.output<typeof subscriptionFields> {}

/** The next renewal of a subscription. The published spec lists none of its fields. */
export interface Renewal extends z.output<typeof openRecord> {}

const NewSubscription: SchemaOf<NewSubscription, typeof newSubscriptionFields> = observed(
  observedSubscription,
  newSubscriptionFields,
);
const Subscription: SchemaOf<Subscription, typeof subscriptionFields> = subscriptionFields;
const Renewal: SchemaOf<Renewal, typeof openRecord> = openRecord;

/** The endpoints of subscriptions, one row for each. The client makes the methods of `client.subscriptions` from them. */
export const subscriptions = {
  /**
   * Create a solo or group subscription. Emits `subscription.created`. The published spec does not describe the response: the
   * output is the record (observed), or `undefined` if the response has none. `withResponse` returns what came.
   *
   * After a timeout, a lost connection or a 5xx, the client retries only with its option `trustIdempotencyKeys`.
   *
   * @throws An {@link ApiError} with 400, 401, 403, 409 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const subscription = await client.subscriptions.create({ subscriber_id, plan_id });
   * ```
   */
  create: endpoint("POST /v1/subscriptions", {
    body: NewSubscription,
    result: Subscription,
    status: 201,
    open: "optional",
    idempotencyKey: true,
    errors: { ...usualErrors, ...inFlight },
  }),

  /**
   * Get the next renewal on demand: what it will be. The preview in `invoice.upcoming` is sent only three days before the cycle.
   *
   * @throws An {@link ApiError} with 400, 401, 403, 404 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const renewal = await client.subscriptions.renewal({ id: subscription_id }, { schema: z.object({ amount_cents: z.int() }) });
   * ```
   */
  renewal: endpoint("GET /v1/subscriptions/:id/renewal", {
    path: {
      /** The id of the subscription. */
      id,
    },
    result: Renewal,
    open: true,
    errors: { ...usualErrors, ...notFound },
  }),
};

/** Subscriptions to plans, solo or in a group, and their renewals. */
export interface Subscriptions extends Methods<typeof subscriptions> {}
