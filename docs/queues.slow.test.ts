import { readFileSync } from "node:fs";
import { join } from "node:path";
import { signedRequest } from "@fieldmesh/webhook-types";
import { createQueueReceiver, type DeliveryJob } from "@fieldmesh/webhook-types/queue";
import type { Receiver } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { postgresOrderTable, postgresTables } from "@fieldmesh/webhook-types/stores";
import { Queue, UnrecoverableError, Worker } from "bullmq";
import { Redis } from "ioredis";
import pg from "pg";
import type { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startPostgres, startRedis } from "../tools/servers.ts";
import { createProgramFolder } from "./program-folder.ts";

// The programs of the guide, as they are, on real servers.

const secret = "whsec_test_secret_only";
const JOB_KEY = "2b".repeat(32);
/** In an event, for a search of what the queues store. */
const MARK = "canary-of-a-queue";
const importProgram = createProgramFolder();
const guide = readFileSync(
  join(import.meta.dirname, "guides", "webhooks-through-a-queue.md"),
  "utf8",
);

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
const pool = new pg.Pool({ connectionString: postgres.url });
pool.on("error", () => {});
const warnings: string[] = [];

beforeAll(async () => {
  if (postgres.url === undefined) return;
  vi.stubEnv("DATABASE_URL", postgres.url);
  vi.stubEnv("REDIS_URL", redis.url ?? "");
  vi.stubEnv("WEBHOOK_SECRET", secret);
  vi.stubEnv("JOB_KEY", JOB_KEY);
  vi.spyOn(console, "warn").mockImplementation((line) => void warnings.push(String(line)));
  vi.spyOn(console, "error").mockReturnValue();
  await pool.query(postgresTables() + postgresOrderTable());
  await pool.query("CREATE TABLE sims (id text PRIMARY KEY, state text)");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await pool.end();
  for (const server of [postgres, redis]) if (server.url !== undefined) await server.stop();
});

/** Imports a program of a section: the first is the receiver, and the second the worker. */
async function open<Program>(section: string, index: 0 | 1): Promise<Program> {
  const [, text = ""] = guide.split(`\n## ${section}\n`);
  const [, source = ""] = [...text.matchAll(/^```ts check\n([^]*?)^```$/gm)][index] ?? [];
  return importProgram<Program>(`${section}-${index}`, source);
}

const eventOf = (id: string, state = "active", day = 20) =>
  sampleEvent("sim.activated", {
    id,
    created_at: `2026-11-${day}T08:00:00Z`,
    data: { object: { id: `${MARK}-of-${id}`, state } },
  });

async function deliver(receive: Receiver, event: object): Promise<string> {
  const request = await signedRequest(event as never, { url: "http://127.0.0.1/hooks", secret });
  const response = await receive(request);
  return `${response.status} ${await response.text()}`;
}

const stateOf = async (id: string): Promise<unknown> => {
  const sql = "SELECT state FROM sims WHERE id = $1";
  return (await pool.query(sql, [`${MARK}-of-${id}`])).rows[0]?.state;
};

/** What the tests need of an engine besides its two programs. */
interface Engine {
  readonly section: string;
  /** The jobs by state. */
  counts(): Promise<Record<string, number>>;
  /** Takes the only waiting job and makes it fail for good. */
  failForGood(): Promise<void>;
  /** Adds a job of the user's own making. */
  add(job: DeliveryJob): Promise<unknown>;
  /** Everything that the engine stores, as text. */
  dump(): Promise<string>;
  close(): Promise<void>;
}

async function bullmq(): Promise<Engine> {
  const connection = { url: redis.url ?? "" };
  const queue = new Queue<DeliveryJob>("deliveries", { connection });
  return {
    section: "BullMQ",
    counts: async () => {
      const { waiting = 0, delayed = 0, ...rest } = await queue.getJobCounts();
      return { ...rest, waiting, retrying: delayed };
    },
    failForGood: async () => {
      const taker = new Worker("deliveries", null, { connection });
      const job = await taker.getNextJob("token");
      await job!.moveToFailed(new UnrecoverableError("for good"), "token");
      await taker.close();
    },
    add: (job) => queue.add("delivery", job, { jobId: job.id, attempts: 2, backoff: 60_000 }),
    dump: async () => {
      const client = new Redis(connection.url);
      const keys = await client.keys("*");
      const jobs = await Promise.all(
        keys.map(async (key) => ((await client.type(key)) === "hash" ? client.hgetall(key) : key)),
      );
      client.disconnect();
      return JSON.stringify([keys, jobs]);
    },
    close: () => queue.close(),
  };
}

async function pgBoss({ boss }: { readonly boss: PgBoss }): Promise<Engine> {
  return {
    section: "pg-boss",
    counts: async () => {
      const { rows } = await pool.query(
        "SELECT state, count(*)::int AS n FROM pgboss.job WHERE name = 'deliveries' GROUP BY state",
      );
      const counts = Object.fromEntries(rows.map(({ state, n }) => [state, n])) as Record<
        string,
        number
      >;
      const { created = 0, retry = 0, completed = 0, failed = 0 } = counts;
      return { waiting: created, retrying: retry, completed, failed };
    },
    failForGood: async () => {
      await pool.query("UPDATE pgboss.job SET retry_limit = 0 WHERE name = 'deliveries'");
      const [job] = await boss.fetch("deliveries");
      await boss.fail("deliveries", job!.id, { message: "for good" });
    },
    add: (job) => boss.send("deliveries", job, { id: job.id }),
    dump: async () => JSON.stringify((await pool.query("SELECT * FROM pgboss.job")).rows),
    close: () => boss.stop(),
  };
}

const missing = [postgres, redis].find(({ url }) => url === undefined) as
  | { readonly missing: string }
  | undefined;

describe.skipIf(missing !== undefined).each(["BullMQ", "pg-boss"])(
  `the programs for %s${missing === undefined ? "" : ` are skipped, because ${missing.missing}`}`,
  (section) => {
    let receive: Receiver;
    let engine: Engine;
    let stop: (() => Promise<void>) | undefined;
    const prefix = `evt_${section}`;
    beforeAll(async () => {
      const program = await open<{ receive: Receiver; boss: PgBoss }>(section, 0);
      ({ receive } = program);
      engine = section === "BullMQ" ? await bullmq() : await pgBoss(program);
    });
    afterAll(async () => {
      await stop?.();
      await engine.close();
    });

    test("two deliveries of an event are one job", async () => {
      for (let each = 0; each < 2; each++)
        expect(await deliver(receive, eventOf(`${prefix}_1`))).toBe("200 stored");
      expect(await engine.counts()).toMatchObject({ waiting: 1 });
    });

    test("a job that has failed for good does not block its event", async () => {
      await engine.failForGood();
      expect(await engine.counts()).toMatchObject({ waiting: 0, failed: 1 });
      expect(await deliver(receive, eventOf(`${prefix}_1`))).toBe("200 stored");
      const { failed, waiting = 0, retrying = 0 } = await engine.counts();
      expect([failed, waiting + retrying]).toEqual([0, 1]);
    });

    test("the worker handles it once, and a later delivery costs no second job", async () => {
      ({ stop } = await open<{ stop: () => Promise<void> }>(section, 1));
      await vi.waitFor(async () => expect(await stateOf(`${prefix}_1`)).toBe("active"), 20_000);
      await vi.waitFor(
        async () => expect(await engine.counts()).toMatchObject({ completed: 1 }),
        9_000,
      );
      await deliver(receive, eventOf(`${prefix}_1`));
      expect(await engine.counts()).toMatchObject({ completed: 1, waiting: 0 });
    });

    test("an event whose older one comes later keeps its state", async () => {
      const id = `${prefix}_1`;
      await deliver(receive, { ...eventOf(id, "suspended", 22), id: `${id}_newest` });
      await vi.waitFor(async () => expect(await stateOf(id)).toBe("suspended"), 20_000);
      await deliver(receive, { ...eventOf(id, "provisioned", 21), id: `${id}_older` });
      await vi.waitFor(
        async () => expect(await engine.counts()).toMatchObject({ completed: 3 }),
        20_000,
      );
      expect(await stateOf(id)).toBe("suspended");
    });

    test("jobs with a wrong key and of failing handlers are kept, and nothing of the event is stored", async () => {
      const bytes = new Uint8Array(32).fill(9);
      const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, [
        "encrypt",
        "decrypt",
      ]);
      const other = createQueueReceiver({
        secret,
        keys: [key],
        queue: { add: (job) => engine.add(job) },
      });
      expect(await deliver(other as Receiver, eventOf(`${prefix}_2`))).toBe("200 stored");
      await pool.query(`ALTER TABLE sims ADD CHECK (state <> 'broken') NOT VALID`);
      expect(await deliver(receive, eventOf(`${prefix}_3`, "broken"))).toBe("200 stored");
      await vi.waitFor(
        async () => expect(await engine.counts()).toMatchObject({ retrying: 2 }),
        20_000,
      );
      const stored = await engine.dump();
      expect(stored).toMatch(/The delivery job [\da-f-]{36} cannot be decrypted/);
      expect(stored).toMatch(/ended with failed \(\w*[Ee]rror 23514\)/);
      for (const part of [MARK, prefix, secret, JOB_KEY, "sim.activated", "sims_state"])
        expect(stored).not.toContain(part);
    });
  },
);

test.skipIf(missing !== undefined)("a Redis that may lose jobs is named once", () => {
  expect(warnings).toEqual([
    expect.stringContaining("has appendonly no, appendfsync everysec: it may lose"),
  ]);
});
