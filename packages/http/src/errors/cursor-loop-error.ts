import { CallError } from "./call-error.ts";

/** Thrown when the server returns a cursor that this walk has already followed. The walk would never end. */
export class CursorLoopError extends CallError {
  /** Pages that this walk has read. */
  readonly pages: number;
  /** Items that this walk has returned. */
  readonly items: number;
  readonly #cursor: string;

  protected static override readonly errorName: string = "CursorLoopError";

  constructor(
    context: { call: string; route: string },
    at: { cursor: string; pages: number; items: number },
  ) {
    super(
      { ...context, outcome: "rejected", attempts: [] },
      `received a cursor that it had already followed, after ${at.pages} pages and ${at.items} items.`,
      "The walk cannot continue. Start it again later, or report the repeated cursor to the service.",
    );
    this.#cursor = at.cursor;
    this.pages = at.pages;
    this.items = at.items;
  }

  /** The repeated cursor. Printing the error does not show it. */
  get cursor(): string {
    return this.#cursor;
  }
}
