// Deletes the old rows of a table of events, as once a day, while the process has other work: npm run bench -- clean-up
import { mkdtempSync, rmSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore, postgresTables, sqliteStore } from "@fieldmesh/webhook-types/stores";
import { Pool } from "pg";
import { startPostgres } from "../tools/servers.ts";
import { finish, limit, note, table } from "./support/report.ts";

const ROWS = Number(process.argv[2] ?? 2_000_000);
const KEPT = 1_000;
const MEBIBYTE = 2 ** 20;
const NANOSECONDS_PER_MILLISECOND = 1e6;
/** Memory is looked at this often, in milliseconds. */
const LOOK = 20;

note(`A table of ${ROWS} old events and ${KEPT} new ones.`);
const rows = [await measureSqlite()];
const postgres = await startPostgres();
if (postgres.url === undefined) note(`PostgreSQL is skipped: ${postgres.missing}`);
else {
  rows.push(await measurePostgres(postgres.url));
  await postgres.stop();
}
table(rows);
finish();

async function measureSqlite() {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-clean-up-"));
  const database = new DatabaseSync(join(folder, "events.db"));
  const store = sqliteStore(database);
  const fill = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
    INSERT INTO fieldmesh_events (id, seen_at, done_at) SELECT ? || n, ?, ? FROM numbers`;
  database.prepare(fill).run(ROWS, "old", 0, 0);
  database.prepare(fill).run(KEPT, "new", Date.now(), Date.now());
  const figures = await watch("sqlite", () => store.cleanUp());
  const left = database.prepare("SELECT count(*) AS count FROM fieldmesh_events").get();
  limit("sqlite: rows that are left", Number(left?.["count"]), { least: KEPT });
  database.close();
  rmSync(folder, { recursive: true });
  return figures;
}

async function measurePostgres(url: string) {
  const pool = new Pool({ connectionString: url });
  pool.on("error", console.error);
  await pool.query(postgresTables());
  const fill = `INSERT INTO fieldmesh_events (id, seen_at, done_at)
    SELECT $2 || n, now() - $3::interval, now() - $3::interval FROM generate_series(1, $1::integer) AS n`;
  await pool.query(fill, [ROWS, "old", "30 days"]);
  await pool.query(fill, [KEPT, "new", "1 day"]);
  const figures = await watch("postgres", () => postgresStore(pool).cleanUp());
  const left = await pool.query<{ count: string }>(
    "SELECT count(*) AS count FROM fieldmesh_events",
  );
  limit("postgres: rows that are left", Number(left.rows[0]?.count), { least: KEPT });
  await pool.end();
  return figures;
}

/** Runs the clean-up, and returns how much memory it took and how long it kept the process from other work. */
async function watch(store: string, cleanUp: () => Promise<number>) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), LOOK);
  delay.enable();
  const start = performance.now();
  const deleted = await cleanUp();
  const seconds = (performance.now() - start) / 1_000;
  delay.disable();
  clearInterval(looking);
  const mebibytes = (most - before) / MEBIBYTE;
  limit(`${store}: rows that were deleted`, deleted, { least: ROWS });
  limit(`${store}: memory, in MiB`, Math.round(mebibytes), { most: 150 });
  return {
    store,
    "rows deleted": deleted,
    seconds,
    "longest block of other work, in ms": delay.max / NANOSECONDS_PER_MILLISECOND,
    "99th percentile, in ms": delay.percentile(99) / NANOSECONDS_PER_MILLISECOND,
    "memory, in MiB": mebibytes,
  };
}
