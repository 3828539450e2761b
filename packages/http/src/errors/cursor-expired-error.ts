import { CallError, type CallFacts } from "./call-error.ts";

/** The cursor of the next page has expired: the list must be walked from its start again. */
export class CursorExpiredError extends CallError {
  readonly #cursor: string;

  static {
    this.prototype.name = "CursorExpiredError";
  }

  constructor(facts: CallFacts, cursor: string) {
    super(
      facts,
      "failed with 400: the cursor has expired.",
      'Walk the list from its start again; onCursorExpired: "restart" does, and resumes where this walk was.',
    );
    this.#cursor = cursor;
  }

  /** The cursor that the server does not take any more; no printer shows it. */
  get cursor(): string {
    return this.#cursor;
  }
}
