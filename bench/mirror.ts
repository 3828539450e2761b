// Measures what a mirror costs beside the inbox alone, and compares its rule with the common one: npm run bench -- mirror
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { postgresMirror } from "@fieldmesh/mirror";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { handleEvent, type InboxOrder } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresTables,
} from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { type FeedEvent, makeFeed } from "./mirror/feed.ts";
import { runMirror } from "./mirror/run-mirror.ts";
import { shuffle } from "./receiver/receivers.ts";
import { startPostgres } from "../tools/servers.ts";
import { takeTurns } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const OBJECTS = Number(process.argv[2] ?? 500);
const EVENTS_OF_EACH = Number(process.argv[3] ?? 10);
const KILLS = Number(process.argv[4] ?? 10);
const ROUNDS = 5;
const AT_ONCE = 8;
const PLANTED = Math.min(100, OBJECTS);
const MIGRATION = "../packages/mirror/migrations/postgres/001-mirror.sql";
const LEAST_SHARE = 0.6;

const postgres = await startPostgres();
if (postgres.url === undefined) {
  note(`Skipped: ${postgres.missing}`);
} else {
  await measureSpeed(postgres.url);
  await compareRules(postgres.url);
  await postgres.stop();
}
finish();

async function measureSpeed(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: AT_ONCE });
  pool.on("error", () => {});
  const migration = readFileSync(join(import.meta.dirname, MIGRATION), "utf8");
  await pool.query(migration + postgresTables() + postgresOrderTable());
  const { events } = makeFeed(OBJECTS, EVENTS_OF_EACH);
  const orders: Readonly<Record<string, InboxOrder | undefined>> = {
    "inbox alone": undefined,
    "inbox and order": postgresOrder(pool),
    "inbox and mirror": postgresMirror(pool),
  };
  const speeds = await takeTurns(orders, ROUNDS, async (order) => {
    await pool.query(
      "TRUNCATE fieldmesh_events, fieldmesh_objects, fieldmesh_mirror, fieldmesh_mirror_subscribers",
    );
    return await handleAll(pool, events, order);
  });
  const alone = speeds["inbox alone"] ?? Number.NaN;
  note(
    `${events.length} events of ${OBJECTS} objects in random order, ${AT_ONCE} at once, through handleEvent in one process: the median of ${ROUNDS} rounds, in turns.`,
  );
  table(
    Object.entries(speeds).map(([store, speed]) => ({
      store,
      "events a second": Math.round(speed),
      share: speed / alone,
    })),
  );
  limit("speed with a mirror, over the inbox alone", (speeds["inbox and mirror"] ?? 0) / alone, {
    least: LEAST_SHARE,
  });
  await pool.end();
}

/** Handles the events, and returns how many a second. */
async function handleAll(
  pool: pg.Pool,
  events: readonly FeedEvent[],
  order: InboxOrder | undefined,
): Promise<number> {
  const store = postgresInbox(pool);
  const router = createEventRouter({});
  const queue = shuffle(events).values();
  const started = performance.now();
  const lane = async (): Promise<void> => {
    for (const wire of queue) {
      const event = parseEvent(JSON.stringify(wire));
      for (;;) {
        const { outcome } = await handleEvent(event, { router, store, order });
        if (outcome === "handled" || outcome === "superseded") break;
        if (outcome !== "in_progress") throw new Error(outcome);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return events.length / ((performance.now() - started) / 1_000);
}

async function compareRules(database: string): Promise<void> {
  const outcome = await runMirror({
    database,
    objects: OBJECTS,
    eventsOfEach: EVENTS_OF_EACH,
    kills: KILLS,
    planted: PLANTED,
  });
  note(
    `${outcome.events} events of ${outcome.objects} objects, each delivered three times in random order to two processes, but for ${outcome.neverDelivered} that a catch-up read; ${outcome.kills} kills. A fifth of the events have the time of another one, and half of these pairs chain. The common rule writes an event where the stored time is older or equal.`,
  );
  table([
    {
      rule: "mirror",
      "wrong rows without a mark": outcome.wrong,
      "marked rows": outcome.inDoubt + outcome.markedWithoutDoubt,
      "marked without doubt": outcome.markedWithoutDoubt,
    },
    {
      rule: "stored time is older or equal",
      "wrong rows without a mark": outcome.wrongByCommonRule,
      "marked rows": 0,
      "marked without doubt": 0,
    },
  ]);
  limit("wrong rows without a mark", outcome.wrong + outcome.missing, { most: 0 });
  limit("rows that are marked without doubt", outcome.markedWithoutDoubt, { most: 0 });
  limit("planted differences that verify found", outcome.found, { least: outcome.planted });
  limit("rows that are wrong after the repair", outcome.wrongAfterRepair, { most: 0 });
}
