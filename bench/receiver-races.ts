// Delivers two events of each of 1,000 objects at the same moment to two processes that are killed: npm run bench -- races
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RaceKind } from "./receiver/race-task.ts";
import { runRaces } from "./receiver/run-races.ts";
import { startPostgres } from "../tools/servers.ts";
import { finish, limit, note, table } from "./support/report.ts";

const OBJECTS = Number(process.argv[2] ?? 1_000);
const KILLS = Number(process.argv[3] ?? 20);

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-races-"));
note(
  `${OBJECTS} objects, two events each, delivered at the same moment. Two processes, ${KILLS} kills. "beside" has its order beside the transaction, with a lease store, and no kill.`,
);
const rows = [await measure("sqlite", join(folder, "states.db"))];
if (postgres.url === undefined) {
  note(`PostgreSQL is skipped: ${postgres.missing}`);
} else {
  for (const kind of ["pg", "beside"] as const) rows.push(await measure(kind, postgres.url));
  await postgres.stop();
}
rmSync(folder, { recursive: true });
table(rows);
finish();

async function measure(kind: RaceKind, database: string) {
  const isBeside = kind === "beside";
  const kills = isBeside ? 0 : KILLS;
  const outcome = await runRaces({ kind, database, objects: OBJECTS, kills });
  if (!isBeside) {
    limit(`${kind}: rows with an old state`, outcome.old, { most: 0 });
    limit(`${kind}: kills`, outcome.kills, { least: KILLS });
  }
  limit(`${kind}: objects without a row`, outcome.missing, { most: 0 });
  return { rows: kind, ...outcome };
}
