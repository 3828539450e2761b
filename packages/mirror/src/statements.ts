import { placingTypes } from "./placement.ts";
import { type Column, COLUMNS, type Kind } from "./row.ts";

/** What differs between PostgreSQL and SQLite. */
export interface Dialect {
  /** The placeholder of the value with this number, from 1, which is a string or null. */
  readonly place: (number: number, kind: Kind) => string;
  /** Reads a column as a string. */
  readonly read: Readonly<Record<Kind, (column: string) => string>>;
  /** Whether a column, a list in JSON, contains the value of a placeholder. */
  readonly contains: (column: string, place: string) => string;
  /** Locks the rows of a query until the transaction ends. */
  readonly lock: string;
}

const KEY = ["tenant", "family", "id", "livemode"] as const satisfies readonly Column[];
const PAGE = 500;

export function statementsOf(dialect: Dialect) {
  const { place, read, contains, lock } = dialect;
  const names = Object.keys(COLUMNS) as Column[];
  const rest = names.filter((name) => !(KEY as readonly string[]).includes(name));
  const values = names.map((name, at) => place(at + 1, COLUMNS[name]));
  const insert = `INSERT INTO fieldmesh_mirror AS m (${names.join(", ")}) VALUES (${values.join(", ")})
ON CONFLICT (${KEY.join(", ")})`;
  const update = `DO UPDATE SET ${rest.map((name) => `${name} = excluded.${name}`).join(", ")}`;
  const columns = names.map((name) => `${read[COLUMNS[name]](`m.${name}`)} AS ${name}`);
  const select = `SELECT ${columns.join(", ")} FROM fieldmesh_mirror AS m`;
  const key = KEY.map((name, at) => `m.${name} = ${place(at + 1, COLUMNS[name])}`);
  const time = (column: string) => read.time(column);
  /** The time of the first claim of an event, by its tenant and its id. */
  const firstOf = (tenant: number, event: number) =>
    `(SELECT claimed_at FROM fieldmesh_mirror_first_claims WHERE tenant = ${place(tenant, "text")} AND event_id = ${place(event, "text")})`;
  /** The values of `place`: a key, a time, and the id of an event. */
  const [at, event] = [KEY.length + 1, KEY.length + 2];
  const firstClaim = firstOf(1, event);
  const placing = placingTypes.map((type) => `'${type}'`).join(", ");
  return {
    version: "SELECT max(version) AS version FROM fieldmesh_mirror_version",
    // `DO UPDATE` locks the row before it looks at the condition, and sees what the transaction that held the row has committed.
    // A row that keeps more than its newest version, or has to, is read first.
    writeNewer: `${insert} ${update} WHERE m.created_at < excluded.created_at
AND m.ties IS NULL AND m.event_type NOT IN (${placing}) RETURNING 1`,
    write: `${insert} ${update} RETURNING 1`,
    add: `${insert} DO NOTHING RETURNING 1`,
    place: `SELECT ${time(firstClaim)} AS first, EXISTS (SELECT 1 FROM fieldmesh_mirror AS m
WHERE ${key.join(" AND ")} AND m.created_at > coalesce(${firstClaim}, ${place(at, "time")})) AS older`,
    firstClaim: `SELECT ${time(firstOf(1, 2))} AS first`,
    keepFirst: `INSERT INTO fieldmesh_mirror_first_claims (tenant, event_id, claimed_at)
VALUES (${place(1, "text")}, ${place(2, "text")}, ${place(3, "time")})
ON CONFLICT (tenant, event_id) DO UPDATE SET event_id = excluded.event_id
RETURNING ${time("fieldmesh_mirror_first_claims.claimed_at")} AS first`,
    firstClaims: `SELECT event_id, ${time("claimed_at")} AS first FROM fieldmesh_mirror_first_claims
WHERE tenant = ${place(1, "text")}`,
    read: `${select} WHERE ${key.join(" AND ")} ${lock}`,
    page: `${select} WHERE m.tenant = ${place(1, "text")}
AND (m.family, m.id, m.livemode) > (${place(2, "text")}, ${place(3, "text")}, ${place(4, "flag")})
ORDER BY m.family, m.id, m.livemode LIMIT ${PAGE}`,
    namedBy: `${select} WHERE m.tenant = ${place(1, "text")} AND m.livemode = ${place(2, "flag")}
AND m.subscribers IS NOT NULL AND ${contains("m.subscribers", place(3, "text"))}
AND m.created_at <= ${place(4, "time")} ORDER BY m.family, m.id ${lock}`,
    // Locks the subscriber, so that an erasure waits for events that are writing its personal fields.
    subscriber: `INSERT INTO fieldmesh_mirror_subscribers AS s (tenant, livemode, id, redacted_at)
VALUES (${place(1, "text")}, ${place(2, "flag")}, ${place(3, "text")}, ${place(4, "time")})
ON CONFLICT (tenant, livemode, id) DO UPDATE SET redacted_at = CASE
WHEN excluded.redacted_at IS NULL OR s.redacted_at >= excluded.redacted_at THEN s.redacted_at
ELSE excluded.redacted_at END
RETURNING ${time("redacted_at")} AS redacted`,
    redacted: `SELECT id, ${read.flag("livemode")} AS livemode, ${time("redacted_at")} AS redacted
FROM fieldmesh_mirror_subscribers WHERE tenant = ${place(1, "text")} AND redacted_at IS NOT NULL`,
  };
}
