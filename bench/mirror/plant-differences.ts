// Changes rows behind the back of the mirror.
import type pg from "pg";
import { shuffle } from "../receiver/receivers.ts";
import type { FinalState } from "./feed.ts";

const CHANGES = [
  "UPDATE fieldmesh_mirror SET state = jsonb_set(state, '{step}', '-1') WHERE id = $1",
  "UPDATE fieldmesh_mirror SET created_at = created_at + interval '1 year' WHERE id = $1",
  "UPDATE fieldmesh_mirror SET created_at = created_at - interval '1 year' WHERE id = $1",
  "UPDATE fieldmesh_mirror SET ambiguous = NOT ambiguous WHERE id = $1",
  "UPDATE fieldmesh_mirror SET deleted_at = CASE WHEN deleted_at IS NULL THEN created_at END WHERE id = $1",
  "UPDATE fieldmesh_mirror SET event_id = 'evt_of_nothing', created_at = created_at - interval '1 day' WHERE id = $1",
  "UPDATE fieldmesh_mirror SET previous = NULL, ties = NULL, event_type = 'plan.created' WHERE id = $1",
  "DELETE FROM fieldmesh_mirror WHERE id = $1",
];

/** Plants differences in some rows, and returns their ids. */
export async function plantDifferences(
  pool: pg.Pool,
  finals: readonly FinalState[],
  count: number,
): Promise<ReadonlySet<string>> {
  const ids = shuffle(finals)
    .slice(0, count)
    .map(({ id }) => id);
  for (const [at, id] of ids.entries()) await pool.query(CHANGES[at % CHANGES.length]!, [id]);
  return new Set(ids);
}
