// Events delivered three times each to six processes that are killed thirty times: npm run bench:kills
import { runKills, type KillOutcome } from "./receiver/run-kills.ts";
import type { Kind } from "./receiver/kill-points.ts";
import { startPostgres, startRedis } from "./receiver/servers.ts";

const EVENTS = Number(process.argv[2] ?? 1_500);
const KILLS = Number(process.argv[3] ?? 30);
const PROCESSES = 6;
/** With one event in hand a kill cuts off one; with several it cuts off all of them. */
const IN_HAND = [1, 4];

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
const HEAD = [
  { title: "store", width: 8 },
  { title: "in hand", width: 11 },
  { title: "deliveries", width: 12 },
  { title: "kills", width: 7 },
  { title: "cut off", width: 9 },
  { title: "failed neighbours", width: 19 },
  { title: "lost", width: 6 },
  { title: "at once", width: 9 },
  { title: "doubled", width: 9 },
  { title: "at most", width: 9 },
];
let isWrong = false;
if (postgres.url === undefined) {
  console.log(`skipped: ${postgres.missing}`);
} else {
  console.log(`${EVENTS} events, 3 deliveries each, ${PROCESSES} processes\n`);
  console.log(
    HEAD.map(({ title, width }, at) =>
      at === 0 ? title.padEnd(width) : title.padStart(width),
    ).join(""),
  );
  for (const inHand of IN_HAND) {
    for (const kind of ["inbox", "postgres", "redis"] as const) {
      if (kind === "redis" && redis.url === undefined)
        console.log(`redis     skipped: ${redis.missing}`);
      else await row(kind, inHand, postgres.url);
    }
  }
  await postgres.stop();
  console.log(isWrong ? "\nnot as promised" : "\nas promised");
}
if (redis.url !== undefined) await redis.stop();
process.exitCode = isWrong ? 1 : 0;

async function row(kind: Kind, inHand: number, postgresUrl: string): Promise<void> {
  const run = { kind, postgresUrl, redisUrl: kind === "redis" ? redis.url : undefined };
  const outcome = await runKills({
    ...run,
    inHand,
    events: EVENTS,
    processes: PROCESSES,
    kills: KILLS,
  });
  const { deliveries, kills, cutOff, lost, doubled, atOnce, failures } = outcome;
  const most = mayDouble(kind, inHand, outcome);
  const cells = [inHand, deliveries, kills, cutOff, failures, lost, atOnce, doubled, most];
  console.log(
    kind.padEnd(8) +
      cells.map((n, index) => String(n).padStart(HEAD[index + 1]?.width ?? 0)).join(""),
  );
  const { leaks } = outcome;
  isWrong ||= lost > 0 || atOnce > 0 || leaks > 0 || doubled > most || kills < KILLS;
}

/** A kill cuts off what its process has in hand; one event, or as many as were seen to end without an answer. */
function mayDouble(kind: Kind, inHand: number, { kills, cutOff, failures }: KillOutcome): number {
  if (kind === "inbox") return 0;
  return (inHand === 1 ? kills : cutOff) + failures;
}
