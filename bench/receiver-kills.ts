// Delivers each event three times to six processes that are killed thirty times: npm run bench -- kills
import { runKills, type KillOutcome } from "./receiver/run-kills.ts";
import type { Kind } from "./receiver/kill-points.ts";
import { startPostgres, startRedis } from "../tools/servers.ts";
import { SIZES } from "../tools/results.ts";
import { finish, limit, note, table } from "./support/report.ts";

const EVENTS = Number(process.argv[2] ?? SIZES.killedEvents);
const KILLS = Number(process.argv[3] ?? SIZES.kills);
const PROCESSES = 6;
/** A kill interrupts every delivery that its process has in progress. */
const IN_PROGRESS = [1, 4];

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
if (postgres.url === undefined) {
  console.log(`skipped: ${postgres.missing}`);
} else {
  note(`${EVENTS} events, 3 deliveries each, ${PROCESSES} processes, ${KILLS} kills.`);
  const rows = [];
  for (const inProgress of IN_PROGRESS)
    for (const kind of ["inbox", "postgres", "redis"] as const)
      if (kind !== "redis" || redis.url !== undefined)
        rows.push(await measureKills(kind, inProgress, postgres.url));
  table(rows);
  if (redis.url === undefined) note(`redis is skipped: ${redis.missing}`);
  finish();
  await postgres.stop();
}
if (redis.url !== undefined) await redis.stop();

async function measureKills(kind: Kind, inProgress: number, postgresUrl: string) {
  const outcome = await runKills({
    kind,
    postgresUrl,
    redisUrl: kind === "redis" ? redis.url : undefined,
    inProgress,
    events: EVENTS,
    processes: PROCESSES,
    kills: KILLS,
  });
  const mostDuplicates = maxDuplicates(kind, inProgress, outcome);
  const name = `${kind}, ${inProgress} in progress`;
  limit(`${name}: lost events`, outcome.lost, { most: 0 });
  limit(`${name}: handlers of one event at once`, outcome.concurrent, { most: 0 });
  limit(`${name}: secrets in the store`, outcome.leaks, { most: 0 });
  limit(`${name}: events handled twice`, outcome.duplicates, { most: mostDuplicates });
  limit(`${name}: kills`, outcome.kills, { least: KILLS });
  return { store: kind, "in progress": inProgress, ...outcome };
}

/** A kill interrupts one delivery, or as many as ended without a response. */
function maxDuplicates(
  kind: Kind,
  inProgress: number,
  { kills, interrupted, failures }: KillOutcome,
): number {
  if (kind === "inbox") return 0;
  return (inProgress === 1 ? kills : interrupted) + failures;
}
