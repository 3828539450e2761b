import { memberOf, recordOf } from "@fieldmesh/core/internal";
import type { ObjectClaim } from "./object-order.ts";
import type { Query } from "./postgres-client.ts";

/** Long enough for usual handlers, and shorter than a sender waits for a response. */
const LONGEST_LOCK = "5s";
const LOCK_NOT_AVAILABLE = "55P03";

/** A condition for a newer event of the object. */
export interface NewerExists {
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * Claims an object with a limit for its locks: a handler that never ends must not hold the connections of all later events of its
 * object. The time of an object never goes back, so an event is older if a newer one was committed, and needs no lock.
 */
export async function withLockTimeout(
  query: Query,
  newer: NewerExists,
  claim: () => Promise<ObjectClaim>,
): Promise<ObjectClaim> {
  const [before] = await query(
    `SELECT timeout, older, CASE WHEN NOT older THEN set_config('lock_timeout', '${LONGEST_LOCK}', true) END FROM
(SELECT current_setting('lock_timeout') AS timeout, ${newer.sql} AS older OFFSET 0) AS before`,
    newer.values,
  );
  const { timeout, older } = recordOf(before);
  if (older === true) return "older";
  let place: ObjectClaim;
  try {
    place = await claim();
  } catch (error) {
    if (memberOf(error, "code") === LOCK_NOT_AVAILABLE) return "locked";
    throw error;
  }
  await query("SELECT set_config('lock_timeout', $1::text, true)", [timeout]);
  return place;
}
