// Why it is so: docs/decisions/12-small-root-cheap-types.md
export {
  createVerifier,
  type SignedMessage,
  type VerifiedMessage,
  type Verifier,
  type SecretFunction,
  type SecretsGiven,
  type VerifierOptions,
} from "./verify/create-verifier.ts";
export { WebhookVerificationError, type VerificationReason } from "./verify/verification-error.ts";
export { platformScheme } from "./verify/platform-scheme.ts";
export { standardWebhooks } from "./verify/standard-webhooks.ts";
export { sign, signedRequest, type SignedRequestOptions, type SignOptions } from "./verify/sign.ts";
export type { HeaderProblem, Scheme, SignedHeaders } from "./verify/scheme.ts";
export type { HeadersLike, RawBody } from "./verify/message.ts";

export {
  currentEventTypes,
  earlierEventTypes,
  eventTypes,
  isKnownEvent,
  type CurrentEventType,
  type EarlierEventType,
} from "./events/event-types.ts";
export { fieldOf } from "./events/field-of.ts";
export { reassignmentOf, type Reassignment } from "./events/reassignment.ts";
export { sourceOf, type EventSource } from "./events/source.ts";
export type * from "./events/envelope.ts";
export type * from "./events/generated/interfaces.ts";
export type * from "./events/webhook-event.ts";

export { isSecret, Secret, setDefaultValidation, type Validation } from "@fieldmesh/core";
