import { mistake, timeOfStamp } from "@fieldmesh/core/internal";
import type { CatchUpCheckpoint } from "./checkpoint.ts";
import type { Dates } from "./dates.ts";
import type { ListedEvent } from "./read-events.ts";

const HOUR = 3_600_000;
/** Someone passes the `since` of an error message some time after it. What the store may have forgotten is not handled again anyway. */
const TOLERANCE = 12 * HOUR;

interface Limits {
  /** The option `since`, in milliseconds. */
  readonly since: number;
  readonly checkpoint: CatchUpCheckpoint | undefined;
  /** How long the store remembers an event, in milliseconds. 0 if it does not say so. */
  readonly remembers: number;
  readonly dates: Dates;
  readonly isOpen: (id: string) => boolean;
  readonly now: () => number;
}

/** Knows which events of the list need no handler: those before `since`, and those of earlier runs that the store has forgotten. */
export function readEarlierRuns({ since, checkpoint, remembers, dates, isOpen, now }: Limits) {
  const first = checkpoint === undefined ? since : timeOfStamp(checkpoint.since);
  const newest = timeOfStamp(checkpoint?.newest);
  // A store that remembers nothing is for handlers that may run again, and has 0 too.
  const forgets = now() - (remembers || Number.POSITIVE_INFINITY);
  const isTooLong = (from: number): boolean =>
    checkpoint?.order === "none" && from < forgets - TOLERANCE;
  const bound = isTooLong(first) ? Math.max(first, since) : first;
  if (isTooLong(bound)) throw mistake(tooLong(bound, forgets));

  const readTo = (newest > first && checkpoint?.newest) || checkpoint?.since;

  /** Whether an earlier run has read an event, or could have. */
  const wasRead = ({ id, time, isNew }: ListedEvent): boolean =>
    dates.isKnown(id) || (isNew !== true && time <= newest);
  return {
    wasRead,
    /** Whether an event is before `since`. What no run has read is not, if only a later `since` leaves it out. */
    isBefore: (event: ListedEvent): boolean =>
      event.isNew !== true &&
      !isOpen(event.id) &&
      (event.time < first || (event.time < bound && wasRead(event))),
    /** Whether an event of an earlier run is so old that the store may have forgotten that it is done. */
    isForgotten: (event: ListedEvent): boolean =>
      event.date <= forgets && !isOpen(event.id) && wasRead(event),
    /** The lower bound for the next checkpoint. */
    since: new Date(bound).toISOString(),
    /** Where the run reads on, if `since` is later. */
    readFrom: since > first && !(since <= newest) ? readTo : undefined,
  };
}

function tooLong(bound: number, forgets: number): string {
  const [from, earliest] = [bound, forgets].map((time) => new Date(time).toISOString());
  return `since cannot be ${from}: the list has no order, so each run reads all of it, and the store forgets an event before that, which would then be handled again. Pass since: "${earliest}", or a later time, and compute it in each run as now minus store.remembers.`;
}
