// Events delivered three times each to six processes that are killed thirty times: npm run bench:kills
import { runKills, type KillOutcome } from "./receiver/run-kills.ts";
import type { Kind } from "./receiver/kill-points.ts";
import { startPostgres, startRedis } from "./receiver/servers.ts";

const EVENTS = Number(process.argv[2] ?? 1_500);
const KILLS = Number(process.argv[3] ?? 30);
const PROCESSES = 6;

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
let isWrong = false;
if (postgres.url === undefined) {
  console.log(`skipped: ${postgres.missing}`);
} else {
  console.log(`${EVENTS} events, 3 deliveries each, ${PROCESSES} processes\n`);
  console.log("store     deliveries  kills  lost  doubled  at once  failed neighbours");
  for (const kind of ["inbox", "postgres", "redis"] as const) {
    if (kind === "redis" && redis.url === undefined)
      console.log(`redis     skipped: ${redis.missing}`);
    else await row(kind, postgres.url);
  }
  await postgres.stop();
  console.log(isWrong ? "\nnot as promised" : "\nas promised");
}
if (redis.url !== undefined) await redis.stop();
process.exitCode = isWrong ? 1 : 0;

async function row(kind: Kind, postgresUrl: string): Promise<void> {
  const run = { kind, postgresUrl, redisUrl: kind === "redis" ? redis.url : undefined };
  const outcome = await runKills({ ...run, events: EVENTS, processes: PROCESSES, kills: KILLS });
  const { deliveries, kills, lost, doubled, atOnce, failures } = outcome;
  console.log(
    [
      kind.padEnd(8),
      ...[deliveries, kills, lost, doubled, atOnce, failures].map((n, index) =>
        String(n).padStart([12, 7, 6, 9, 9, 19][index] ?? 0),
      ),
    ].join(""),
  );
  isWrong ||= !isAsPromised(kind, outcome);
}

function isAsPromised(kind: Kind, { lost, doubled, atOnce, leaks, failures, kills }: KillOutcome) {
  const mayDouble = kind === "inbox" ? 0 : kills + failures;
  return lost === 0 && atOnce === 0 && leaks === 0 && doubled <= mayDouble && kills >= KILLS * 0.9;
}
