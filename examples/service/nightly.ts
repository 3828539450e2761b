import { catchUp, createMobileClient } from "@fieldmesh/mobile-client";
import type { CatchUpCheckpoint, OpenEvent } from "@fieldmesh/mobile-client";
import type pg from "pg";
import { router } from "./handlers.ts";
import { setting } from "./settings.ts";
import { inbox, order, poison, pool } from "./storage.ts";

const DAY = 24 * 60 * 60 * 1_000;
/** Until then, a delivery may still bring what a stored event lacks. */
const DELIVERIES_END = 3 * DAY;
/** What has been open for longer needs a person. */
const TOO_LONG = DAY;

/** Handles the events that never arrived. Fails, and names events, until none needs a person. */
export async function nightly(): Promise<void> {
  const session = await pool.connect();
  // The next statement on a broken connection fails.
  session.on("error", ({ message }) => console.error(message));
  try {
    const { rows } = await session.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('nightly')) AS locked",
    );
    if (!rows[0]?.locked) throw new Error("Another run is still in progress.");
    await run(session);
  } finally {
    // PostgreSQL releases the lock with its connection, also if the process dies.
    session.release(true);
  }
}

const LOAD = "SELECT checkpoint FROM catch_up WHERE name = 'nightly'";
/** What was given up is no longer in the checkpoint, so both are stored or neither. */
const SAVE = `WITH kept AS (
    INSERT INTO given_up (id, type)
    SELECT id, type FROM jsonb_to_recordset($2) AS event (id text, type text)
    ON CONFLICT DO NOTHING
  )
  INSERT INTO catch_up VALUES ('nightly', $1)
  ON CONFLICT (name) DO UPDATE SET checkpoint = excluded.checkpoint`;

/** Stores through the connection of the lock, so that a run that has lost it stores nothing. */
async function run(session: pg.PoolClient): Promise<void> {
  const { rows } = await session.query<{ checkpoint: CatchUpCheckpoint }>(LOAD);
  let checkpoint = rows[0]?.checkpoint;
  const { open, givenUp, ...totals } = await catchUp({
    client: createMobileClient({
      baseUrl: setting("MOBILE_URL"),
      apiKey: setting("MOBILE_KEY"),
    }),
    // What happened before may have been handled, and forgotten.
    since: new Date(Date.now() - inbox.remembers),
    deliveriesEnd: DELIVERIES_END,
    router,
    store: inbox,
    order,
    poison,
    checkpoint,
    onCheckpoint: (next) => void (checkpoint = next),
  });
  await session.query(SAVE, [JSON.stringify(checkpoint), JSON.stringify(givenUp)]);
  console.log(JSON.stringify(totals));
  await inbox.cleanUp();
  await order.cleanUp();
  await poison.store.cleanUp();

  const kept = await session.query<{ id: string; type: string }>("SELECT * FROM given_up");
  const alerts = [
    ...open.filter(isTooLong).map((event) => ({ ...event, why: `open, ${event.reason}` })),
    ...kept.rows.map((event) => ({ ...event, why: "given up" })),
    ...(await poison.store.list()).map((event) => ({ ...event, why: "set aside" })),
  ];
  for (const { why, type, id } of alerts) console.error(`${why}: ${type} ${id}`);
  // The scheduler reports a job that fails.
  if (alerts.length > 0) process.exitCode = 1;
}

function isTooLong({ reason, until }: OpenEvent): boolean {
  const openSince = Date.parse(until) - DELIVERIES_END;
  return reason !== "waiting" && Date.now() - openSince > TOO_LONG;
}
