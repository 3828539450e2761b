import { CallError } from "./call-error.ts";

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
