export {
  createVerifier,
  type SignedMessage,
  type VerifiedMessage,
  type Verifier,
  type VerifierOptions,
} from "./verify/create-verifier.js";
export {
  isWebhookVerificationError,
  WebhookVerificationError,
  type VerificationReason,
} from "./verify/verification-error.js";
export { platformScheme } from "./verify/platform-scheme.js";
export { standardWebhooks } from "./verify/standard-webhooks.js";
export { sign, signedRequest, type SignedRequestOptions, type SignOptions } from "./verify/sign.js";
export type { HeaderProblem, Scheme, SignedHeaders } from "./verify/scheme.js";
export type { HeadersLike } from "./verify/headers.js";
export type { RawBody } from "./verify/body.js";

export {
  currentEventTypes,
  earlierEventTypes,
  eventTypes,
  isKnownEvent,
  type CurrentEventType,
  type EarlierEventType,
} from "./catalog/event-types.js";
export { reassignmentOf, type Reassignment } from "./catalog/reassignment.js";
export { sourceOf, type EventSource } from "./catalog/source.js";
export type {
  EventFamily,
  EventMap,
  EventPattern,
  EventType,
  FamilyMap,
  TypesOf,
  WebhookEvent,
} from "./catalog/event-map.js";
export type * from "./catalog/envelope.js";
export type * from "./catalog/billing.js";
export type * from "./catalog/connection.js";
export type * from "./catalog/cpni.js";
export type * from "./catalog/dispute.js";
export type * from "./catalog/fraud.js";
export type * from "./catalog/plan.js";
export type * from "./catalog/port.js";
export type * from "./catalog/psim-order.js";
export type * from "./catalog/referral.js";
export type * from "./catalog/sim.js";
export type * from "./catalog/sim-inventory.js";
export type * from "./catalog/sms.js";
export type * from "./catalog/stored.js";
export type * from "./catalog/subscriber.js";
export type * from "./catalog/subscription.js";
export type * from "./catalog/usage.js";
export type * from "./catalog/webhook-endpoint.js";

export { isSecret, Secret } from "@fieldmesh/core";
