import type { ObjectClaim } from "./object-order.ts";
import type { Query } from "./postgres-client.ts";

/** Long enough for usual handlers, and shorter than a sender waits for a response. */
const LONGEST_LOCK = "5s";
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Claims an object with a limit for its locks: a handler that never ends must not hold the connections of all later events of its
 * object. Handlers then have the limit that the connection had before.
 */
export async function withLockTimeout(
  query: Query,
  claim: () => Promise<ObjectClaim>,
): Promise<ObjectClaim> {
  const [before] = await query(
    "SELECT timeout, set_config('lock_timeout', $1::text, true) FROM (SELECT current_setting('lock_timeout') AS timeout OFFSET 0) AS before",
    [LONGEST_LOCK],
  );
  let place: ObjectClaim;
  try {
    place = await claim();
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code === LOCK_NOT_AVAILABLE) return "locked";
    throw error;
  }
  await query("SELECT set_config('lock_timeout', $1::text, true)", [before?.["timeout"]]);
  return place;
}
