import { mistake } from "@fieldmesh/core/internal";

const HOUR = 3_600_000;
/** The last retry is about two days after the first delivery, and someone may replay the event later. */
const LEAST = 72 * HOUR;
const DEFAULT = 168 * HOUR;

/** Returns how long a done event is remembered, in milliseconds: by default seven days, at least three. */
export function readRetention(retention: number = DEFAULT): number {
  if (
    typeof retention !== "number" ||
    !(retention >= LEAST && retention <= Number.MAX_SAFE_INTEGER)
  )
    throw mistake(
      "retention must be 3 days or more, in milliseconds: an event may be delivered again for two days.",
    );
  return Math.ceil(retention);
}
