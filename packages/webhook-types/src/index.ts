export {
  createVerifier,
  type SignedMessage,
  type VerifiedMessage,
  type Verifier,
  type VerifierOptions,
} from "./verify/create-verifier.ts";
export {
  isWebhookVerificationError,
  WebhookVerificationError,
  type VerificationReason,
} from "./verify/verification-error.ts";
export { platformScheme } from "./verify/platform-scheme.ts";
export { standardWebhooks } from "./verify/standard-webhooks.ts";
export { sign, signedRequest, type SignedRequestOptions, type SignOptions } from "./verify/sign.ts";
export type { HeaderProblem, Scheme, SignedHeaders } from "./verify/scheme.ts";
export type { HeadersLike } from "./verify/headers.ts";
export type { RawBody } from "./verify/body.ts";

export {
  currentEventTypes,
  earlierEventTypes,
  eventTypes,
  isKnownEvent,
  type CurrentEventType,
  type EarlierEventType,
} from "./catalog/event-types.ts";
export { reassignmentOf, type Reassignment } from "./catalog/reassignment.ts";
export { sourceOf, type EventSource } from "./catalog/source.ts";
export type {
  EventFamily,
  EventMap,
  EventPattern,
  EventType,
  FamilyMap,
  TypesOf,
  WebhookEvent,
} from "./catalog/event-map.ts";
export type * from "./catalog/envelope.ts";
export type * from "./catalog/billing.ts";
export type * from "./catalog/connection.ts";
export type * from "./catalog/cpni.ts";
export type * from "./catalog/dispute.ts";
export type * from "./catalog/fraud.ts";
export type * from "./catalog/plan.ts";
export type * from "./catalog/port.ts";
export type * from "./catalog/psim-order.ts";
export type * from "./catalog/referral.ts";
export type * from "./catalog/sim.ts";
export type * from "./catalog/sim-inventory.ts";
export type * from "./catalog/sms.ts";
export type * from "./catalog/stored.ts";
export type * from "./catalog/subscriber.ts";
export type * from "./catalog/subscription.ts";
export type * from "./catalog/usage.ts";
export type * from "./catalog/webhook-endpoint.ts";

export { isSecret, Secret } from "@fieldmesh/core";
