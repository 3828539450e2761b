import { FieldmeshError, isFieldmeshError } from "@fieldmesh/core";

/** Why a message was rejected. The list is closed: a `switch` over it can be exhaustive. */
export type VerificationReason =
  | "header_missing"
  | "header_malformed"
  | "signature_mismatch"
  | "timestamp_too_old"
  | "timestamp_too_new";

/**
 * A message that is not what a holder of the secret sent, or not now. Respond with 4xx and do nothing.
 *
 * `explain` finds out the likely cause. Neither holds the secret, the body, or the signature that would be right.
 */
export class WebhookVerificationError extends FieldmeshError {
  static {
    this.prototype.name = "WebhookVerificationError";
  }

  readonly reason: VerificationReason;

  constructor(reason: VerificationReason) {
    // The other reasons need no hint.
    const hint =
      reason === "signature_mismatch" ? " Is this the raw body, and the right secret?" : "";
    super(`Webhook not verified, ${reason}.${hint}`);
    this.reason = reason;
  }
}

/** Tells whether an error is a {@link WebhookVerificationError}, also one of another copy of this package. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return isFieldmeshError(error, "WebhookVerificationError");
}
