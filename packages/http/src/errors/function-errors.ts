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

/**
 * Thrown when the function of the option `fetch` has a bug: it threw an error that is not a network failure, such as a
 * ReferenceError, or it did not return a response. The call is not retried, because the same would happen again.
 *
 * `cause` is a copy of the thrown error, without the secrets of the call. `outcome` is `unknown`: the function may have sent the
 * request.
 */
export class FetchFunctionError extends CallError {
  protected static override readonly errorName: string = "FetchFunctionError";

  constructor(context: CallContext, happened: string, cause: Error | undefined) {
    super(
      context,
      `failed: the function fetch ${happened}.`,
      cause === undefined
        ? "Return a Response, or an object with status, headers.get and a body that is a stream or null."
        : "Fix the function: this did not come from the network. See cause.",
      cause === undefined ? undefined : { cause },
    );
  }
}
