import { CallError, type CallContext } from "./call-error.ts";

/**
 * Thrown when the function that returns the API key throws, or returns something that cannot be a key. No request was sent with
 * it.
 *
 * `cause` is a copy of the error of the function, without its other fields and without the secrets of the call. A function that
 * takes longer than ten seconds counts as failed.
 */
export class CredentialError extends CallError {
  protected static override readonly errorName: string = "CredentialError";

  constructor(context: CallContext, happened: string, thrown: unknown) {
    super(
      context,
      `was not sent: ${happened}`,
      thrown === undefined
        ? "The next call asks the function again."
        : "See cause. The next call asks the function again.",
      thrown === undefined ? undefined : { cause: thrown },
    );
  }
}
