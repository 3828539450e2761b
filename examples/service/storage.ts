import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresPoison,
  postgresPoisonTable,
  postgresTables,
} from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { setting } from "./settings.ts";

export const pool = new pg.Pool({
  connectionString: setting("DATABASE_URL"),
  connectionTimeoutMillis: 5_000,
  query_timeout: 10_000,
});
// An idle connection that breaks must not end the process. The pool opens another one.
pool.on("error", ({ message }) => console.error(`the database: ${message}`));

/** The nightly job may be paused for three days less than this. */
const retention = 14 * 24 * 60 * 60 * 1_000;
/** Makes each event take effect once. */
export const inbox = postgresInbox(pool, { retention });
/** Drops events that are older than the row. */
export const order = postgresOrder(pool, { retention });
/** The events that keep failing, encrypted, because they contain personal data. */
export const poison = {
  store: postgresPoison(pool, { payload: await readKey() }),
  attempts: 5,
};

/** Creates what is missing, and may run before each deployment. */
export async function migrate(): Promise<void> {
  await pool.query(postgresTables() + postgresOrderTable() + postgresPoisonTable());
  await pool.query(`CREATE TABLE IF NOT EXISTS subscribers (
    id text PRIMARY KEY,
    locked_status text,
    event_id text NOT NULL,
    event_created_at timestamptz NOT NULL,
    is_ambiguous boolean NOT NULL
  )`);
  await pool.query("CREATE TABLE IF NOT EXISTS catch_up (name text PRIMARY KEY, checkpoint jsonb)");
  await pool.query(`CREATE TABLE IF NOT EXISTS given_up (
    id text PRIMARY KEY,
    type text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  )`);
}

/** EVENTS_KEY is 32 random bytes in base64: `openssl rand -base64 32`. */
async function readKey() {
  const bytes = Buffer.from(setting("EVENTS_KEY"), "base64");
  return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}
