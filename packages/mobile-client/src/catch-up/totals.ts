import { notify } from "@fieldmesh/core/internal";
import type { EventOutcome } from "@fieldmesh/webhook-types/receiver";
import type { OpenEvent } from "./checkpoint.ts";
import type { WholeList } from "./read-events.ts";

/** The outcome of one event. */
export interface CatchUpReport {
  /** A hash of the item if it has no id. */
  readonly id: string;
  /** Empty if the item has no type. */
  readonly type: string;
  /**
   * What became of it. `waiting`: it is left to its delivery, and nothing was marked. `given_up`: it could not be parsed, or is no
   * longer listed, until its deliveries had ended; it is reported once, and no later run tries it.
   */
  readonly outcome: EventOutcome["outcome"] | "not_parsed" | "waiting" | "given_up";
  /** The error of a handler or of the store. Never contains the event. */
  readonly error: unknown;
}

/** The number of events by outcome. */
export interface CatchUpTotals extends Readonly<Record<CatchUpReport["outcome"], number>> {
  /** The number of events that an earlier run has read, so old that the store may have forgotten that they are done. */
  readonly notChecked: number;
  /** All events that are not done, as in the checkpoint: those of this run and of earlier ones. */
  readonly open: readonly OpenEvent[];
  /** The items of this run that could not be parsed. */
  readonly notParsed: readonly OpenEvent[];
  /** The events that this run has given up. No other run reports them. */
  readonly givenUp: readonly OpenEvent[];
  /**
   * Why a run with a checkpoint has read the whole list: the list has no order, its order is not that of the checkpoint, or it has
   * rejected the cursor of the checkpoint. Absent if it has read only what is new, and without a checkpoint.
   */
  readonly wholeList?: WholeList;
  /** The time from which this run has read on, because the checkpoint has read no further than that and `since` is later. */
  readonly readFrom?: string;
}

/** Counts outcomes, and reports each. */
export function countOutcomes(onOutcome: ((report: CatchUpReport) => void) | undefined) {
  const counts = { ...NONE };
  const notParsed: OpenEvent[] = [];
  const givenUp: OpenEvent[] = [];
  return {
    add(event: OpenEvent, outcome: CatchUpReport["outcome"], error?: unknown): void {
      counts[outcome]++;
      if (outcome === "not_parsed") notParsed.push(event);
      if (outcome === "given_up") givenUp.push(event);
      const { id, type } = event;
      notify("onOutcome", onOutcome, (call) => call({ id, type, outcome, error }));
    },
    addNotChecked: (): void => void counts.notChecked++,
    isGivenUp: (id: string): boolean => givenUp.some((event) => event.id === id),
    totals: () => ({ ...counts, notParsed, givenUp }),
  };
}

const NONE: Record<CatchUpReport["outcome"] | "notChecked", number> = {
  handled: 0,
  duplicate: 0,
  superseded: 0,
  in_progress: 0,
  set_aside: 0,
  not_set_aside: 0,
  failed: 0,
  lease_lost: 0,
  store_failed: 0,
  not_parsed: 0,
  waiting: 0,
  given_up: 0,
  notChecked: 0,
};
