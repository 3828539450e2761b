import { FieldmeshError, isFieldmeshError } from "@fieldmesh/core";

/** Why a message was rejected. The list is closed: a `switch` over it can be exhaustive. */
export type VerificationReason =
  | "header_missing"
  | "header_malformed"
  | "signature_mismatch"
  | "timestamp_too_old"
  | "timestamp_too_new";

// The reasons that concern the time need no hint.
const HINTS: Readonly<Partial<Record<VerificationReason, string>>> = {
  signature_mismatch: " Is this the raw body, and the right secret?",
};
const SECRET_FAILED =
  " The function of the secret was asked for a newer one and failed, see cause; the secret that was known stays.";

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

  /** `options.cause` is what the function of the secret threw when it was asked for a newer one. */
  constructor(
    reason: VerificationReason,
    headers: readonly string[] = [],
    options?: { cause: unknown },
  ) {
    const hint = options === undefined ? (HINTS[reason] ?? "") : SECRET_FAILED;
    super(`Webhook not verified, ${[reason, ...headers].join(" ")}.${hint}`, options);
    this.reason = reason;
    this.headers = headers;
  }
}

/** Tells whether an error is a {@link WebhookVerificationError}, also one of another copy of this package. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return isFieldmeshError(error, "WebhookVerificationError");
}
