import { FieldmeshError } from "@fieldmesh/core";

/** Why a message was rejected. The list is closed, so a `switch` over it can be exhaustive. */
export type VerificationReason =
  | "header_missing"
  | "header_malformed"
  | "signature_mismatch"
  | "timestamp_too_old"
  | "timestamp_too_new";

const MISMATCH = " Check the secret, and that the body is the raw one.";
const SECRET_FAILED =
  " The function that returns the secret failed, see cause. The known secret is kept.";

/**
 * Thrown for a message that was not signed with the secret, or whose time is outside the tolerance. Respond with 4xx and do
 * nothing.
 *
 * `explain` finds the likely cause. Neither the error nor the explanation contains the secret, the body, or the correct
 * signature.
 */
export class WebhookVerificationError extends FieldmeshError {
  protected static override readonly errorName: string = "WebhookVerificationError";

  readonly reason: VerificationReason;
  /** The names of the headers that the scheme requires, if one is missing or malformed. Empty for the other reasons. */
  readonly headers: readonly string[];

  /** `options.cause` is the error of the function that returns the secret, when it was called for a newer one. */
  constructor(
    reason: VerificationReason,
    headers: readonly string[] = [],
    options?: { readonly cause: unknown },
  ) {
    const mismatch = reason === "signature_mismatch" ? MISMATCH : "";
    const hint = options === undefined ? mismatch : SECRET_FAILED;
    super(`Webhook not verified, ${[reason, ...headers].join(" ")}.${hint}`, options);
    this.reason = reason;
    this.headers = headers;
  }

  /** The address of the page about the reason. */
  override get docs(): string {
    return super.docs.replace(WebhookVerificationError.errorName, this.reason);
  }
}
