import { CallError } from "./call-error.ts";

/** The server returned a cursor that this walk has already followed: the walk would never end. */
export class CursorLoopError extends CallError {
  /** Pages read in this walk. */
  readonly pages: number;
  /** Items given to the caller in this walk. */
  readonly items: number;
  readonly #cursor: string;

  static {
    this.prototype.name = "CursorLoopError";
  }

  constructor(
    facts: { call: string; route: string },
    at: { cursor: string; pages: number; items: number },
  ) {
    super(
      { ...facts, outcome: "rejected", attempts: [] },
      `came back to a cursor that it had been at before, after ${at.pages} pages and ${at.items} items.`,
      "The walk cannot continue. Start it again later, or report the repeated cursor to the service.",
    );
    this.#cursor = at.cursor;
    this.pages = at.pages;
    this.items = at.items;
  }

  /** The cursor that came back; no printer shows it. */
  get cursor(): string {
    return this.#cursor;
  }
}
