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
  /** The names of the headers that are missing, or that do not have the form of the scheme; empty for the other reasons. */
  readonly headers: readonly string[];

  constructor(reason: VerificationReason, headers: readonly string[] = []) {
    super(`Webhook not verified, ${reason}.${hintOf(reason, headers)}`);
    this.reason = reason;
    this.headers = headers;
  }
}

/** The reasons that concern the time need no hint. */
function hintOf(reason: VerificationReason, headers: readonly string[]): string {
  const names = headers.map((name) => `"${name}"`).join(", ");
  if (reason === "signature_mismatch") return " Is this the raw body, and the right secret?";
  if (reason === "header_missing" && names !== "")
    return ` The request does not have ${names}: did the service send it, and does a proxy remove headers?`;
  if (reason === "header_malformed" && names !== "")
    return ` Its ${names} does not have the form of the scheme: is it the right scheme?`;
  return "";
}

/** Tells whether an error is a {@link WebhookVerificationError}, also one of another copy of this package. */
export function isWebhookVerificationError(error: unknown): error is WebhookVerificationError {
  return isFieldmeshError(error, "WebhookVerificationError");
}
