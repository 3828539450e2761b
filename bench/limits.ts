// Measures how clients use a rate limit, alone and together, mostly in virtual time: npm run bench -- limits [lanes kills]
import { createSubscribers } from "./limits/create-subscribers.ts";
import { compareLanes, exportThroughKills } from "./limits/export-rewards.ts";
import { learnALimit } from "./limits/learn-a-limit.ts";
import { measureCost } from "./limits/measure-cost.ts";
import { runProcesses } from "./limits/run-processes.ts";
import { shareThroughPostgres, shareThroughRedis } from "./limits/share-a-limit.ts";
import { walkInLanes } from "./limits/walk-in-lanes.ts";
import { startPostgres, startRedis } from "../tools/servers.ts";
import { finish, note } from "./support/report.ts";

/** The parts to run, such as `lanes kills`. Default: all. */
const chosen = process.argv.slice(2);
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.includes(name);

if (isChosen("cost")) await measureCost();
if (isChosen("subscribers")) await createSubscribers();
if (isChosen("learned")) await learnALimit();
if (isChosen("shared")) await shareLimits();
if (isChosen("lanes")) await walkInLanes();
if (isChosen("export")) await compareLanes();
if (isChosen("kills")) await exportThroughKills();
finish();

async function shareLimits(): Promise<void> {
  const redis = await startRedis();
  if (redis.url === undefined) note(`Sharing with Redis: skipped, because ${redis.missing}.`);
  else {
    await shareThroughRedis(redis.url);
    await runProcesses(redis.url);
    await redis.stop();
  }
  const postgres = await startPostgres();
  if (postgres.url === undefined)
    note(`Sharing with PostgreSQL: skipped, because ${postgres.missing}.`);
  else {
    await shareThroughPostgres(postgres.url);
    await postgres.stop();
  }
}
