import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "../../../tools/servers.ts";
import { startBlackHole } from "../../../tools/testing/black-hole.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { postgresRateLimit } from "../src/index.ts";

const server = await startPostgres();
afterAll(async () => {
  if (server.url !== undefined) await server.stop();
});

describeWith(server, "PostgreSQL", (url) => {
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
