import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startPgBouncer, startPostgres } from "../../../tools/servers.ts";
import { signedRequest } from "../src/index.ts";
import { postgresMirror } from "../../mirror/src/index.ts";
import { createQueueReceiver, createQueueWorker, type DeliveryJob } from "../src/queue/index.ts";
import { createReceiver } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { postgresInbox, postgresOrderTable, postgresTables } from "../src/stores/index.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { newEvent } from "./drivers.ts";
import { newDatabase } from "./drivers-of-postgres.ts";
import { migrationOf } from "../../../tools/testing/mirrors.ts";

const server = await startPostgres();
const bouncer = server.url === undefined ? server : await startPgBouncer(server.url);
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  for (const each of [bouncer, server]) if (each.url !== undefined) await each.stop();
});

const secret = "whsec_test";
const request = async (event: object) => signedRequest(event, { url: "http://127.0.0.1/", secret });

/** A pool of a new database with all tables. */
async function openPool(url: string, max: number): Promise<pg.Pool> {
  const { url: own, control, close } = await newDatabase(String(server.url), url);
  await control.query(postgresTables() + postgresOrderTable() + migrationOf("postgres"));
  const pool = new pg.Pool({ connectionString: own, connectionTimeoutMillis: 10_000, max });
  pool.on("error", () => {});
  ends.push(close, () => pool.end());
  return pool;
}

describeWith(server, "PostgreSQL", (url) => {
  test.each([
    ["20 jobs at once need a pool of more than 20 connections", 25, 20],
    // One connection stays free for other queries.
    ["a job that gets no connection says so, and does not blame the database", 10, 9],
  ])("%s", async (_title, max, expected) => {
    const pool = await openPool(url, max);
    const key = await crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]);
    const jobs: DeliveryJob[] = [];
    const queue = { add: async (job: DeliveryJob) => void jobs.push(job) };
    const receive = createQueueReceiver({ secret, keys: [key], queue, onOutcome: () => {} });
    for (let each = 0; each < 20; each++) await receive(await request(newEvent()));
    const errors: unknown[] = [];
    const work = createQueueWorker({
      keys: [key],
      store: postgresInbox(pool),
      onOutcome: () => {},
      onError: (error) => errors.push(error),
      handlers: { "*": () => sleep(11_000) },
    });
    const results = await Promise.allSettled(jobs.map(work));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(expected);
    for (const error of errors) {
      expect(String(error)).toMatch(/connection.*pool|pool.*connection/);
      expect(String(error)).not.toContain("reachable");
    }
  });
});

describeWith(bouncer, "PgBouncer", (url) => {
  test("a mirror writes each row that it says it has written, beside other clients", async () => {
    const pool = await openPool(url, 10);
    const mirror = postgresMirror(pool);
    const events = Array.from({ length: 60 }, (_, index) =>
      sampleEvent("plan.updated", {
        id: `evt_${index}`,
        data: { object: { id: `plan_${index}` } },
      }),
    );
    const traffic = new AbortController();
    const others = [1, 2, 3].map(async () => {
      while (!traffic.signal.aborted) await pool.query("BEGIN; SELECT pg_sleep(0.002); COMMIT");
    });
    const { written } = await mirror.apply(await mirror.repair(events.slice(0, 30)));
    const store = postgresInbox(pool);
    const receive = createReceiver({ secret, store, order: mirror, handlers: {} });
    const responses = await Promise.all(
      events.slice(30).map(async (event) => (await receive(await request(event))).status),
    );
    traffic.abort();
    await Promise.all(others);
    expect([written, responses]).toEqual([30, Array(30).fill(200)]);
    expect((await pool.query("SELECT id FROM fieldmesh_mirror")).rows).toHaveLength(60);
  });
});
