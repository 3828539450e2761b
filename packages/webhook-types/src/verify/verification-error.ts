import { FieldmeshError, isFieldmeshError } from "@fieldmesh/core";

/** Why a message was refused. The list is closed: a `switch` over it can be exhaustive. */
export type VerificationReason =
  | "header_missing"
  | "header_malformed"
  | "signature_mismatch"
  | "timestamp_too_old"
  | "timestamp_too_new";

/**
 * A message that is not what a holder of the secret sent, or not now. Answer 4xx and do nothing.
 *
 * `explain` finds out the likely cause. Neither holds the secret, the body, or the signature that would be right.
 */
export class WebhookVerificationError extends FieldmeshError {
  static {
    this.prototype.name = "WebhookVerificationError";
  }

  readonly reason: VerificationReason;

  constructor(reason: VerificationReason) {
    super(`Webhook not verified: ${MEANING[reason]}`);
    this.reason = reason;
  }
}

const MEANING: Readonly<Record<VerificationReason, string>> = {
  header_missing: "a signature header is missing",
  header_malformed: "a signature header is malformed",
  signature_mismatch:
    "no signature fits. Is this the raw body, and the secret of this webhook endpoint?",
  timestamp_too_old: "it was signed too long ago",
  timestamp_too_new: "it was signed in the future",
};

/** Tells whether an error is a {@link WebhookVerificationError}, also one of another copy of this package. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return isFieldmeshError(error, "WebhookVerificationError");
}
