import { CallError } from "./call-error.ts";

/**
 * A walk that was restarted, or resumed from a checkpoint, came to the end of the list without meeting the items that
 * it had given last; or a part of a walk in parallel lanes did not meet the next part. The list has changed its order or lost items.
 */
export class PlaceLostError extends CallError {
  /** Items that were given before, by earlier walks of the same checkpoint too. */
  readonly items: number;

  static {
    this.prototype.name = "PlaceLostError";
  }

  constructor(
    facts: { call: string; route: string },
    items: number,
    message = `did not find its place again behind ${items} items: the last of them are not in the list any more.`,
  ) {
    super(
      { ...facts, outcome: "rejected", attempts: [] },
      message,
      "Walk the list from its start, without a checkpoint and in one lane, and leave out what you have by its id.",
    );
    this.items = items;
  }
}
