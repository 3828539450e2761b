import { timeOfStamp } from "@fieldmesh/core/internal";
import { isAhead } from "@fieldmesh/webhook-types/internal";
import type { CatchUpCheckpoint } from "./checkpoint.ts";

/** When an event happened. */
export interface EventDate {
  /** Its `created_at` in milliseconds, or NaN if that does not count: it is in the future, or not a date. */
  readonly time: number;
  /** The same, or when the event was first read. */
  readonly date: number;
}

type Undated = CatchUpCheckpoint["undated"];

/** Reads the dates of events. Remembers those that do not count, also when they are no longer in the future. */
export function readDates(before: Undated, seen_after: string, now: () => number) {
  const earlier = new Map(before.map((event) => [event.id, event]));
  const met = new Map<string, Undated[number]>();
  return {
    dateOf(id: string, createdAt: string | null): EventDate {
      const time = timeOfStamp(createdAt);
      const read = now();
      const first = earlier.get(id) ?? met.get(id);
      const counts = !Number.isNaN(time) && !isAhead(time, read);
      if (first === undefined && counts) return { time, date: time };
      const seen = first ?? { id, seen_at: new Date(read).toISOString(), seen_after };
      met.set(id, seen);
      return { time: Number.NaN, date: timeOfStamp(seen.seen_at) };
    },
    /** Whether an earlier run has read an event without a date that counts. */
    isKnown: (id: string): boolean => earlier.has(id),
    /** The earliest delivery of such an event, or NaN. */
    deliveredAfter: (id: string): number => timeOfStamp(earlier.get(id)?.seen_after),
    /** The events without a date. After the whole list, those that the service still lists. */
    undated: (isWhole: boolean): Undated => [
      ...(isWhole ? met : new Map([...earlier, ...met])).values(),
    ],
  };
}
export type Dates = ReturnType<typeof readDates>;
