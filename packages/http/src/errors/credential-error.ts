import { CallError, type CallFacts } from "./call-error.ts";

/**
 * The function that returns the key of the client threw, or returned something that cannot be a key. Nothing was sent with it.
 *
 * `cause` is what the function threw.
 */
export class CredentialError extends CallError {
  static {
    this.prototype.name = "CredentialError";
  }

  constructor(facts: CallFacts, happened: string, thrown: unknown) {
    super(
      facts,
      `was not sent: ${happened}`,
      thrown === undefined
        ? "The next call asks the function again."
        : "See cause. The next call asks the function again.",
      thrown === undefined ? undefined : { cause: thrown },
    );
  }
}
