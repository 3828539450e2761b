import { mistake, timeOfStamp } from "@fieldmesh/core/internal";
import type { CatchUpCheckpoint, OpenEvent } from "./checkpoint.ts";
import type { Dates } from "./dates.ts";
import type { ListedEvent } from "./read-events.ts";

const HOUR = 3_600_000;
/** Someone passes the `since` of an error message some time after it. What the store may have forgotten is not handled again anyway. */
const TOLERANCE = 12 * HOUR;
/** An event may have been delivered so much earlier than a wrong date says. */
const EARLIER = 24 * HOUR;

interface Limits {
  /** The option `since`, in milliseconds. */
  readonly since: number;
  readonly checkpoint: CatchUpCheckpoint | undefined;
  /** How long the store remembers an event, in milliseconds. 0 if it does not say so. */
  readonly remembers: number;
  readonly dates: Dates;
  /** The event as an earlier run has left it open. */
  readonly openOf: (id: string) => OpenEvent | undefined;
  /** When this run begins. */
  readonly start: number;
}

/** Knows which events of the list need no handler: those before `since`, and those of earlier runs that the store has forgotten. */
export function readEarlierRuns({ since, checkpoint, remembers, dates, openOf, start }: Limits) {
  const first = checkpoint === undefined ? since : timeOfStamp(checkpoint.since);
  const newest = timeOfStamp(checkpoint?.newest);
  const lastRun = timeOfStamp(checkpoint?.read_at);
  // A store that remembers nothing is for handlers that may run again, and has 0 too.
  const forgets = start - (remembers || Number.POSITIVE_INFINITY);
  const margin = Math.min(EARLIER, remembers / 2);
  const isTooLong = (from: number): boolean =>
    checkpoint?.order === "none" && from < forgets - TOLERANCE;
  const bound = isTooLong(first) ? Math.max(first, since) : first;
  if (isTooLong(bound)) throw mistake(tooLong(bound, forgets));

  const readTo = (newest > first && checkpoint?.newest) || checkpoint?.since;

  /** Whether an earlier run has read an event, or could have. */
  const wasRead = ({ id, time, isNew }: ListedEvent): boolean =>
    dates.isKnown(id) || (isNew !== true && time <= newest);
  return {
    /** Whether an earlier run has given up an item, whose deliveries ended at this time. Before that, it would be open. */
    wasGivenUp: (event: ListedEvent, end: number): boolean => end <= lastRun && wasRead(event),
    /** Whether an event is before `since`. What no run has read is not, if only a later `since` leaves it out. */
    isBefore: (event: ListedEvent): boolean =>
      event.isNew !== true &&
      openOf(event.id) === undefined &&
      (event.time < first || (event.time < bound && wasRead(event))),
    /** Whether an earlier run is done with an event, and the store may have forgotten it. One without a date is known by its id. */
    isForgotten: (event: ListedEvent): boolean =>
      openOf(event.id) === undefined &&
      (dates.isKnown(event.id) || (event.date - margin <= forgets && wasRead(event))),
    /**
     * Returns an open event if the store may have forgotten that it was delivered in the meantime. One that has failed was not done
     * before the last run, and cannot be delivered after `until`.
     */
    uncertain({ id, date }: ListedEvent): OpenEvent | undefined {
      const left = openOf(id);
      const hasFailed = left?.reason === "failed";
      const delivered = dates.deliveredAfter(id) || date;
      const isForgotten = (hasFailed ? lastRun : delivered) <= forgets;
      return isForgotten && !(hasFailed && timeOfStamp(left.until) <= lastRun) ? left : undefined;
    },
    /** For the next checkpoint: the lower bound. */
    since: new Date(bound).toISOString(),
    read_at: new Date(start).toISOString(),
    /** Where the run reads on, if `since` is later. */
    readFrom: since > first && !(since <= newest) ? readTo : undefined,
  };
}

function tooLong(bound: number, forgets: number): string {
  const [from, earliest] = [bound, forgets].map((time) => new Date(time).toISOString());
  return `since cannot be ${from}: the list has no order, so each run reads all of it, and the store forgets an event before that, which would then be handled again. Pass since: "${earliest}", or a later time, and compute it in each run as now minus store.remembers.`;
}
