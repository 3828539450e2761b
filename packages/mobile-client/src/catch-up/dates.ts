import { getOrInsertComputed, timeOfStamp } from "@fieldmesh/core/internal";
import { isAhead } from "@fieldmesh/webhook-types/internal";
import type { CatchUpCheckpoint } from "./checkpoint.ts";

/** When an event happened. */
export interface EventDate {
  /** Its `created_at` in milliseconds, or NaN if that does not count: it is in the future, or not a date. */
  readonly time: number;
  /** The same, or when the event was first read. */
  readonly date: number;
}

/** Reads the dates of events. Remembers those that do not count, also when they are no longer in the future. */
export function readDates(before: CatchUpCheckpoint["undated"], now: () => number) {
  const earlier = new Map(before.map(({ id, seen_at }) => [id, timeOfStamp(seen_at)]));
  const met = new Map<string, number>();
  return {
    dateOf(id: string, createdAt: string | null): EventDate {
      const time = timeOfStamp(createdAt);
      const read = now();
      const first = earlier.get(id) ?? met.get(id);
      const counts = !Number.isNaN(time) && !isAhead(time, read);
      if (first === undefined && counts) return { time, date: time };
      return { time: Number.NaN, date: getOrInsertComputed(met, id, () => first ?? read) };
    },
    /** Whether an earlier run has read an event without a date that counts. */
    isKnown: (id: string): boolean => earlier.has(id),
    /** The events without a date. After the whole list, those that the service still lists. */
    undated(isWhole: boolean): CatchUpCheckpoint["undated"] {
      return [...(isWhole ? met : new Map([...earlier, ...met]))].map(([id, time]) => ({
        id,
        seen_at: new Date(time).toISOString(),
      }));
    },
  };
}
export type Dates = ReturnType<typeof readDates>;
