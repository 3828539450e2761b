import { afterAll, describe, expect, test } from "vitest";
import { POINTS } from "./kill-points.ts";
import { runKills } from "./run-kills.ts";
import { startPostgres, startRedis } from "../../tools/servers.ts";

// A small run; bench/receiver-kills.ts is the large one.
const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
afterAll(async () => {
  for (const server of [postgres, redis]) if (server.url !== undefined) await server.stop();
});

const missing =
  postgres.url === undefined ? postgres.missing : redis.url === undefined ? redis.missing : "";
const title = missing === "" ? "a process is killed at each point" : `skipped, because ${missing}`;
const SMALL = { inProgress: 4, events: 40, processes: 2, kills: POINTS.length };

// oxlint-disable-next-line vitest/valid-title -- a skipped test is what shows the reason
describe.skipIf(missing !== "")(title, () => {
  const urls = { postgresUrl: postgres.url ?? "", redisUrl: redis.url };

  test("an inbox loses no event and handles none twice", async () => {
    const outcome = await runKills({ ...urls, ...SMALL, kind: "inbox", redisUrl: undefined });
    expect(outcome).toMatchObject({ lost: 0, duplicates: 0, concurrent: 0, leaks: 0 });
    expect(outcome.kills).toBeGreaterThan(0);
  });

  test("a lease store loses no event, and handles at most those twice that were interrupted or failed", async () => {
    const outcome = await runKills({ ...urls, ...SMALL, kind: "redis" });
    expect(outcome).toMatchObject({ lost: 0, concurrent: 0, leaks: 0 });
    expect(outcome.kills).toBeGreaterThan(0);
    expect(outcome.duplicates).toBeLessThanOrEqual(outcome.interrupted + outcome.failures);
  });
});
