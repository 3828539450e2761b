import { CallError } from "./call-error.ts";

/** More empty pages in a row than allowed, each with a cursor to the next. */
export class TooManyEmptyPagesError extends CallError {
  readonly #cursor: string;

  static {
    this.prototype.name = "TooManyEmptyPagesError";
  }

  constructor(facts: { call: string; route: string }, cursor: string, limit: number) {
    super(
      { ...facts, outcome: "rejected", attempts: [] },
      `met more than ${limit} empty pages in a row.`,
      "Go on from `cursor` with page(cursor), or raise maxEmptyPages.",
    );
    this.#cursor = cursor;
  }

  /** The cursor to resume from; no printer shows it. */
  get cursor(): string {
    return this.#cursor;
  }
}
