// Delivers a feed three times, in random order, to two processes that are killed, catches up, and compares the mirror with the feed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { catchUp, createMobileClient } from "@fieldmesh/mobile-client";
import { postgresMirror } from "@fieldmesh/mirror";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { postgresInbox, postgresTables } from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { POINTS } from "../receiver/kill-points.ts";
import { shuffle, startReceivers } from "../receiver/receivers.ts";
import { withCommonRule } from "./common-rule.ts";
import { type FeedEvent, type FinalState, makeFeed } from "./feed.ts";
import { plantDifferences } from "./plant-differences.ts";
import { COMMON_RULE, type MirrorTask } from "./task.ts";

export interface MirrorRun {
  /** The URL of a PostgreSQL. */
  readonly database: string;
  readonly objects: number;
  readonly eventsOfEach: number;
  readonly kills: number;
  /** How many rows are changed by hand at the end. */
  readonly planted: number;
}

const SECRET = "whsec_canary_of_the_bench";
const PROCESSES = 2;
const IN_PROGRESS = 8;
const COPIES = 3;
const SHARE_NEVER_DELIVERED = 0.02;
const RETRY_AFTER_MS = 50;
/** The share of the deliveries during which kills happen. */
const SHARE_WITH_KILLS = 0.9;
const PAGE = 1_000;

/** Runs one round on new tables. */
export async function runMirror({ database, objects, eventsOfEach, kills, planted }: MirrorRun) {
  const pool = new pg.Pool({ connectionString: database, max: 10 });
  pool.on("error", () => {});
  await createTables(pool);
  const { events, finals } = makeFeed(objects, eventsOfEach);
  const started = performance.now();
  const delivery = await deliverAll(events, { database, kills });
  const seconds = (performance.now() - started) / 1_000;

  const mirror = postgresMirror(pool);
  const before = await compareWith(finals, pool);
  await catchUp({
    client: clientOf(events),
    since: "2026-01-01",
    router: createEventRouter({}),
    store: postgresInbox(pool),
    order: withCommonRule(mirror),
    concurrency: IN_PROGRESS,
  });
  const after = await compareWith(finals, pool);
  const commonRule = await wrongByCommonRule(finals, pool);
  const clean = await mirror.verify(events);
  const changed = await plantDifferences(pool, finals, planted);
  const plan = await mirror.repair(events);
  const found = plan.changes.filter(({ id }) => changed.has(id)).length;
  const repair = await mirror.apply(plan);
  const repaired = await compareWith(finals, pool);
  await pool.end();
  return {
    events: events.length,
    objects,
    ...delivery,
    /** Deliveries a second, with kills and the common rule beside the mirror. */
    perSecond: delivery.deliveries / seconds,
    /** Rows that are wrong because an event was never delivered. */
    wrongBeforeCatchUp: before.wrong + before.missing,
    ...after,
    /** The events do not say more. */
    inDoubt: finals.filter(({ isAmbiguous }) => isAmbiguous).length,
    /** Rows that the common rule left wrong, without a mark. */
    wrongByCommonRule: commonRule,
    /** What verify reports about a mirror that is right. */
    accused: clean.differs.length + clean.missing.length + clean.notChecked,
    planted: changed.size,
    found,
    foundElsewhere: plan.changes.length - found,
    written: repair.written,
    wrongAfterRepair: repaired.wrong + repaired.missing + repaired.markedWithoutDoubt,
  };
}

async function createTables(pool: pg.Pool): Promise<void> {
  const file = "../../packages/mirror/migrations/postgres/001-mirror.sql";
  await pool.query(`DROP TABLE IF EXISTS fieldmesh_mirror CASCADE;
DROP TABLE IF EXISTS fieldmesh_mirror_subscribers, fieldmesh_mirror_version, fieldmesh_events, ${COMMON_RULE}`);
  await pool.query(readFileSync(join(import.meta.dirname, file), "utf8") + postgresTables());
  await pool.query(
    `CREATE TABLE ${COMMON_RULE} (id text PRIMARY KEY, event_id text, created_at timestamptz)`,
  );
}

/** Delivers each event until all its copies have a 2xx, but for those that are never delivered. */
async function deliverAll(
  events: readonly FeedEvent[],
  { database, kills }: Pick<MirrorRun, "database" | "kills">,
) {
  const task: MirrorTask = { secret: SECRET, database };
  const receivers = await startReceivers({
    program: "mirror/child.ts",
    task,
    processes: PROCESSES,
    inProgress: IN_PROGRESS,
  });
  // All events of one object are lost, so that each run has something to catch up on.
  const lost = events[0]?.data.object.id;
  const delivered = events.filter(
    ({ data }) => data.object.id !== lost && Math.random() >= SHARE_NEVER_DELIVERED,
  );
  const queue = shuffle(Array.from({ length: COPIES }, () => delivered).flat());
  let next = 0;
  let deliveries = 0;
  const lane = async (): Promise<void> => {
    while (next < queue.length) {
      const body = JSON.stringify(queue[next++]);
      const shareOfKills = receivers.requestedKills() / kills;
      if (shareOfKills < 1 && next >= shareOfKills * SHARE_WITH_KILLS * queue.length)
        receivers.kill(POINTS[receivers.requestedKills() % POINTS.length]!);
      for (;;) {
        const outcome = await receivers.deliver(body);
        if (outcome !== undefined) deliveries += 1;
        if (outcome === "accepted") break;
        await sleep(Math.random() * RETRY_AFTER_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: PROCESSES * IN_PROGRESS }, lane));
  await receivers.stop();
  return {
    deliveries,
    kills: receivers.kills(),
    neverDelivered: events.length - delivered.length,
  };
}

/** A client whose service lists the events, in pages. */
function clientOf(events: readonly FeedEvent[]) {
  const pages = async (input: Parameters<typeof fetch>[0]): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
    const end = at + PAGE;
    return Response.json({
      data: events.slice(at, end),
      has_more: end < events.length,
      next_cursor: end < events.length ? String(end) : null,
    });
  };
  return createMobileClient({
    baseUrl: "http://127.0.0.1",
    apiKey: "sk_sandbox_bench",
    fetch: pages,
  });
}

interface Shown {
  readonly id: string;
  readonly event_id: string;
  readonly step: string;
  readonly ambiguous: boolean;
  readonly is_deleted: boolean;
}

/** Compares the rows with the list of the feed, and with nothing that the mirror says. */
async function compareWith(finals: readonly FinalState[], pool: pg.Pool) {
  const { rows } = await pool.query<Shown>(
    "SELECT id, event_id, state->>'step' AS step, ambiguous, deleted_at IS NOT NULL AS is_deleted FROM fieldmesh_mirror",
  );
  const shown = new Map(rows.map((row) => [row.id, row]));
  const counts = { wrong: 0, markedWithoutDoubt: 0, missing: 0 };
  for (const { id, event, isAmbiguous } of finals) {
    const row = shown.get(id);
    if (row === undefined) counts.missing += 1;
    else if (row.ambiguous && !isAmbiguous) counts.markedWithoutDoubt += 1;
    else if (!row.ambiguous && !isShown(event, row)) counts.wrong += 1;
  }
  return counts;
}

function isShown(event: FeedEvent, row: Shown): boolean {
  return (
    row.event_id === event.id &&
    Number(row.step) === event.data.object.step &&
    row.is_deleted === (event.type === "plan.deleted")
  );
}

async function wrongByCommonRule(finals: readonly FinalState[], pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<Pick<Shown, "id" | "event_id">>(
    `SELECT id, event_id FROM ${COMMON_RULE}`,
  );
  const shown = new Map(rows.map(({ id, event_id }) => [id, event_id]));
  return finals.filter(({ id, event }) => shown.get(id) !== event.id).length;
}
