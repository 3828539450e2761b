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
  /** The names of the headers that the scheme looked for, where one is missing or malformed; empty for the other reasons. */
  readonly headers: readonly string[];

  constructor(reason: VerificationReason, headers: readonly string[] = []) {
    // The reasons that concern the time need no hint.
    const hint =
      reason === "signature_mismatch" ? " Is this the raw body, and the right secret?" : "";
    super(`Webhook not verified, ${[reason, ...headers].join(" ")}.${hint}`);
    this.reason = reason;
    this.headers = headers;
  }
}

/** Tells whether an error is a {@link WebhookVerificationError}, also one of another copy of this package. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return isFieldmeshError(error, "WebhookVerificationError");
}
