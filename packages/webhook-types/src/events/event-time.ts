import { readStamp } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "./envelope.ts";

/** In milliseconds. The clocks of two services differ by less. */
const LONGEST_AHEAD = 5 * 60_000;
/** The year 1. PostgreSQL cannot read what is before it. */
const FIRST_TIME = -62_135_596_800_000;

/** Reads when an event was created, in milliseconds since 1970, or why nobody knows. */
export function readEventTime({
  created_at,
}: Pick<EventEnvelope, "created_at">): ReturnType<typeof readStamp> {
  const read = readStamp(created_at);
  return "time" in read && read.time < FIRST_TIME ? { why: "is before the year 1" } : read;
}

/** Whether a time is so far after now that the clock of a machine must be wrong. Such a date orders nothing. */
export function isAhead(time: number, now: number): boolean {
  return time > now + LONGEST_AHEAD;
}
