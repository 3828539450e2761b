import { CallError } from "./call-error.ts";

/** Thrown when a list has more empty pages in a row than `maxEmptyPages`, each with a cursor to the next page. */
export class TooManyEmptyPagesError extends CallError {
  readonly #cursor: string;

  protected static override readonly errorName: string = "TooManyEmptyPagesError";

  constructor(context: { call: string; route: string }, cursor: string, limit: number) {
    super(
      { ...context, outcome: "rejected", attempts: [] },
      `received more than ${limit} empty pages in a row.`,
      "Resume with page(cursor), or raise maxEmptyPages.",
    );
    this.#cursor = cursor;
  }

  /** The cursor to resume from. Printing the error does not show it. */
  get cursor(): string {
    return this.#cursor;
  }
}
