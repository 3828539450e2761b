import * as z from "@fieldmesh/core/internal/zod";
import { observed, partial, type SchemaOf } from "@fieldmesh/core/internal/schema";
import { endpoint, type Methods } from "@fieldmesh/http/internal";
import {
  inFlight,
  metadata,
  notFound,
  ofSubscriber,
  openBody,
  openRecord,
  personal,
  privateRecord,
  unchecked,
  usualErrors,
} from "./fields.ts";

const newSubscriberFields = openBody({
  /** Required by running deployments (observed). */
  email: z.optional(unchecked<string>()),
  /** Required by running deployments (observed). */
  name: z.optional(unchecked<string>()),
  /** A phone number. Not in the spec (observed). */
  phone: z.optional(unchecked<string>()),
  /** Your own data, kept with the record. Not in the spec (observed). */
  metadata: z.optional(unchecked<Record<string, unknown>>()),
});
const observedSubscriber = openBody({
  email: personal(),
  name: personal(),
  phone: z.optional(personal()),
  metadata: z.optional(metadata),
});

/**
 * The input for a new subscriber. The published spec lists no field: all fields are sent, and none is checked unless the client
 * has `observedRules: true`.
 */
export interface NewSubscriber extends z.output<typeof newSubscriberFields> {}

const subscriberFields = privateRecord({
  /** The id of the subscriber. */
  id: z.string(),
  /** The role of your key decides whether you see it. The spec does not show what you receive if you do not. */
  email: z.nullish(personal()),
  /** The role of your key decides whether you see it. The spec does not show what you receive if you do not. */
  name: z.nullish(personal()),
  /** The role of your key decides whether you see it. The spec does not show what you receive if you do not. */
  phone: z.nullish(personal()),
  /** The role of your key decides whether you see it. The spec does not show what you receive if you do not. */
  date_of_birth: z.nullish(personal()),
  /** The protection against SIM swap and port-out: `user_initiated_lock` or `unlocked`. */
  locked_status: z.nullish(z.string()),
  /** The end of the block: until then, the subscriber cannot add a card. */
  payment_updates_blocked_until: z.nullish(z.string()),
  /** Why the subscriber cannot add a card. */
  payment_updates_blocked_reason: z.nullish(z.string()),
  /** The `metadata` that `create` sends (observed). The spec does not show it here. */
  metadata: z.nullish(metadata),
});

/**
 * A subscriber. The published spec lists only some of its fields. At run time, the record has every field that the service
 * sends.
 */
export interface Subscriber extends z.output<typeof subscriberFields> {}
const Subscriber: SchemaOf<Subscriber, typeof subscriberFields> = subscriberFields;

const createdFields = partial(subscriberFields);

/** A subscriber as `create` returns it. The published spec does not describe that response, so any field may be absent. */
export interface CreatedSubscriber extends z.output<typeof createdFields> {}
const CreatedSubscriber: SchemaOf<CreatedSubscriber, typeof createdFields> = createdFields;
const NewSubscriber: SchemaOf<NewSubscriber, typeof newSubscriberFields> = observed(
  observedSubscriber,
  newSubscriberFields,
);

/** The endpoints of subscribers, one row for each. The client makes the methods of `client.subscribers` from them. */
export const subscribers = {
  /**
   * Create a subscriber. Emits `subscriber.created`, without the contact fields.
   *
   * The call carries an idempotency key. Pass your own to retry the call in another process. After a timeout, a lost connection
   * or a 5xx, the client retries only with its option `trustIdempotencyKeys`. The published spec does not describe the
   * response: the output is the record (observed), or `undefined` if the response has none. `withResponse` returns what came.
   *
   * @throws An {@link ApiError} with 400, 401, 403, 409 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const subscriber = await client.subscribers.create({ email: "ada@example.com", name: "Ada Example" });
   * ```
   */
  create: endpoint("POST /v1/subscribers", {
    body: NewSubscriber,
    result: CreatedSubscriber,
    status: 201,
    open: "optional",
    idempotencyKey: true,
    errors: { ...usualErrors, ...inFlight },
  }),

  /**
   * Get a subscriber. The role of the key decides which personal data you see: the service may hide the rest.
   *
   * @throws An {@link ApiError} with 400, 401, 403, 404 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const subscriber = await client.subscribers.get({ id });
   * ```
   */
  get: endpoint("GET /v1/subscribers/:id", {
    path: ofSubscriber,
    result: Subscriber,
    open: true,
    errors: { ...usualErrors, ...notFound },
  }),

  /**
   * Delete a subscriber without billing history. The service rejects the deletion of any other subscriber. Emits
   * `subscriber.deleted`.
   *
   * The client retries after a lost response, with or without `trustIdempotencyKeys`, because deleting twice has the same
   * effect. A 404 then says that an earlier attempt may have deleted the subscriber. The published spec does not describe the
   * response.
   *
   * @throws An {@link ApiError} with 400, 401, 403, 404, 409 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.subscribers.delete({ id });
   * ```
   */
  delete: endpoint("DELETE /v1/subscribers/:id", {
    path: ofSubscriber,
    result: openRecord,
    open: "optional",
    idempotencyKey: true,
    errors: { ...usualErrors, ...notFound, ...inFlight },
  }),
};

/** The people who use the service. */
export interface Subscribers extends Methods<typeof subscribers> {}
