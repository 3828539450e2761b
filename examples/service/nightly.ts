import { catchUp, createMobileClient, type CatchUpCheckpoint } from "@fieldmesh/mobile-client";
import { router } from "./handlers.ts";
import { setting } from "./settings.ts";
import { inbox, order, poison, pool } from "./storage.ts";

const DAY = 24 * 60 * 60 * 1_000;
/** Within the retention of the inbox, which knows what was handled. */
const LONGEST_OUTAGE = 3 * DAY;

/** Handles the events that never arrived, and deletes what the stores no longer need. */
export async function nightly(): Promise<void> {
  const totals = await catchUp({
    client: createMobileClient({
      baseUrl: setting("MOBILE_URL"),
      apiKey: setting("MOBILE_KEY"),
    }),
    since: new Date(Date.now() - LONGEST_OUTAGE),
    router,
    store: inbox,
    order,
    checkpoint: await readCheckpoint(),
    onCheckpoint: writeCheckpoint,
  });
  console.log(JSON.stringify(totals));
  await inbox.cleanUp();
  await order.cleanUp();
  await poison.store.cleanUp();
  // The job fails, and its alert rings.
  if (totals.failed + totals.not_parsed > 0) process.exitCode = 1;
}

async function readCheckpoint(): Promise<CatchUpCheckpoint | undefined> {
  const { rows } = await pool.query<{ checkpoint: CatchUpCheckpoint }>(
    "SELECT checkpoint FROM catch_up WHERE name = 'nightly'",
  );
  return rows[0]?.checkpoint;
}

async function writeCheckpoint(checkpoint: CatchUpCheckpoint): Promise<void> {
  await pool.query(
    `INSERT INTO catch_up VALUES ('nightly', $1)
       ON CONFLICT (name) DO UPDATE SET checkpoint = excluded.checkpoint`,
    [JSON.stringify(checkpoint)],
  );
}
