import { Redis } from "ioredis";
import pg from "pg";
import { createClient } from "redis";
import { afterAll, expect, test } from "vitest";
import { startPostgres, startRedis } from "../../../tools/servers.ts";
import { startBlackHole } from "../../../tools/testing/black-hole.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { givenRule } from "../../http/src/limit/given-rule.ts";
import { createPermits, type Permits } from "../../http/src/limit/permits.ts";
import { postgresRateLimit, redisRateLimit, type SharedRateLimit } from "../src/index.ts";

const [redisServer, postgresServer] = await Promise.all([startRedis(), startPostgres()]);
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  for (const server of [redisServer, postgresServer]) if (server.url) await server.stop();
});

const counterOf = (key: string) => ({ key, limit: 40, window: 1_000 });

/** Lets eight processes, with a connection each, send as much as they may for 7 s. Returns what each of them has sent. */
async function runEightProcesses(connect: () => Promise<SharedRateLimit>) {
  const key = `eight-${Math.random()}`;
  const processes: Permits[] = [];
  let slowest = 0;
  for (let each = 0; each < 8; each++) {
    const store = await connect();
    // Connected, and its table exists.
    await store.take(counterOf(`warm-${Math.random()}`));
    const shared = {
      count: () => undefined,
      async take() {
        const asked = performance.now();
        try {
          const wait = await store.take(counterOf(key));
          return wait === 0 ? { isTaken: true, wait: 5 } : { isTaken: false, wait };
        } finally {
          slowest = Math.max(slowest, performance.now() - asked);
        }
      },
      block: (milliseconds: number) => void store.block(counterOf(key), milliseconds),
    };
    processes.push(createPermits({ rules: [givenRule(40, 1_000)], shared }));
  }
  const sent = processes.map(() => 0);
  const isOver = new AbortController();
  const workers = processes.flatMap((permits, index) =>
    Array.from({ length: 10 }, async () => {
      while (!isOver.signal.aborted) {
        const deadline = { signal: () => isOver.signal };
        await permits.take({ priority: "normal", deadline });
        permits.release({ isUsed: true, response: undefined });
        sent[index]!++;
      }
    }),
  );
  const start = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  isOver.abort();
  await Promise.allSettled(workers);
  return { sent, duration: performance.now() - start, slowest };
}

/** A process counts alone when its store takes longer than 500 ms, which a busy machine can make it do. */
const IN_TIME = 400;

async function runInTime(connect: () => Promise<SharedRateLimit>) {
  let ran = await runEightProcesses(connect);
  for (let more = 2; more > 0 && ran.slowest > IN_TIME; more--)
    ran = await runEightProcesses(connect);
  return ran;
}

/** Each process has a connection of its own. */
function shares(connect: () => Promise<SharedRateLimit>): void {
  test("eight processes get similar shares of a limit and never exceed it together", async () => {
    const { sent, duration } = await runInTime(connect);
    // A shared window lasts 2 s: the configured second plus a margin of one. A busy machine ends later.
    const windows = Math.ceil(duration / 2_000) + 1;
    const all = sent.reduce((sum, count) => sum + count);
    expect(all).toBeGreaterThanOrEqual(3 * 40);
    expect(all).toBeLessThanOrEqual(windows * 40);
    expect(Math.min(...sent) / Math.max(...sent)).toBeGreaterThan(0.6);
  });
}

describeWith(redisServer, "through ioredis", (url) => {
  shares(async () => {
    const client = new Redis(url);
    ends.push(() => client.disconnect());
    await new Promise((resolve) => client.once("ready", resolve));
    return redisRateLimit(client);
  });
});

describeWith(redisServer, "through node-redis", (url) => {
  shares(async () => {
    const client = await createClient({ url }).connect();
    ends.push(() => client.destroy());
    return redisRateLimit(client, { name: "another" });
  });
});

describeWith(postgresServer, "through pg", (url) => {
  shares(async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    // The server may end before its last connection.
    pool.on("error", () => {});
    ends.push(() => pool.end());
    return postgresRateLimit(pool);
  });
});

describeWith(postgresServer, "PostgreSQL", (url) => {
  test("a path that freezes takes no connection from the pool of the application", async () => {
    const hole = await startBlackHole(url);
    const pool = new pg.Pool({
      connectionString: hole.url,
      max: 3,
      connectionTimeoutMillis: 5_000,
    });
    pool.on("error", () => {});
    const shared = postgresRateLimit(pool, { name: "frozen" });
    const take = () =>
      Promise.allSettled(
        ["a", "b", "c"].map((key) => shared.take({ key, limit: 40, window: 1_000 })),
      );
    // It creates the table.
    await shared.take({ key: "first", limit: 40, window: 1_000 });
    const waits = await take();
    expect(waits.map(({ status }) => status)).toEqual(Array(3).fill("fulfilled"));
    hole.swallow();
    const frozen = take();
    setTimeout(() => hole.open(), 1_000);
    const late = new Promise((resolve) => setTimeout(resolve, 15_000, "no result in 15 s"));
    const ended = await Promise.race([frozen, late]);
    expect(ended).toMatchObject([1, 2, 3].map(() => ({ status: "rejected" })));
    const all = Promise.all([1, 2, 3].map(() => pool.query("SELECT 1")));
    expect(await all).toHaveLength(3);
    expect(await take()).toEqual(waits);
    hole.close();
    await pool.end();
  });
});
