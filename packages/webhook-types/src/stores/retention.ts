const HOUR = 3_600_000;
/** The last retry comes about two days after the first delivery, and a replay by hand later. */
const LEAST = 72 * HOUR;
const DEFAULT = 168 * HOUR;

/** How long a done event is remembered, in milliseconds: seven days by default, three at least. */
export function readRetention(retention: number = DEFAULT): number {
  if (
    typeof retention !== "number" ||
    !(retention >= LEAST && retention <= Number.MAX_SAFE_INTEGER)
  )
    throw new TypeError(
      "retention must be 3 days or more, in milliseconds: an event may come again for two days.",
    );
  return Math.ceil(retention);
}
