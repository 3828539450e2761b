import { CallError, type CallContext } from "./call-error.ts";

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

/**
 * Thrown when a walk cannot find its place in a list again, because the list has changed its order or lost items. A restarted or
 * resumed walk did not find the last items that it had returned, or a lane of a parallel walk did not reach the part of the next
 * lane.
 */
export class PlaceLostError extends CallError {
  /** Items that were returned before, including those of earlier walks with the same checkpoint. */
  readonly items: number;

  protected static override readonly errorName: string = "PlaceLostError";

  constructor(
    context: { call: string; route: string },
    items: number,
    message = `did not find its place after ${items} items: the last of them are no longer in the list.`,
  ) {
    super(
      { ...context, outcome: "rejected", attempts: [] },
      message,
      "Read the list from its start, without a checkpoint and in one lane, and skip the items that you already have by their ids.",
    );
    this.items = items;
  }
}

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
