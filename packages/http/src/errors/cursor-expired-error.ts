import { CallError, type CallContext } from "./call-error.ts";

/** Thrown when the cursor of the next page has expired. Read the list from its start again. */
export class CursorExpiredError extends CallError {
  readonly #cursor: string;

  protected static override readonly errorName: string = "CursorExpiredError";

  constructor(context: CallContext, cursor: string) {
    super(
      context,
      "failed with 400: the cursor has expired.",
      'Read the list from its start again. With onCursorExpired: "restart", the client does so and resumes at the same place.',
    );
    this.#cursor = cursor;
  }

  /** The cursor that the server no longer accepts. Printing the error does not show it. */
  get cursor(): string {
    return this.#cursor;
  }
}
