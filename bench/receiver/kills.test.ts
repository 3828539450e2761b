import { afterAll, describe, expect, test } from "vitest";
import { POINTS } from "./kill-points.ts";
import { runKills } from "./run-kills.ts";
import { startPostgres, startRedis } from "./servers.ts";

// A small run; bench/receiver-kills.ts is the large one.
const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
afterAll(async () => {
  for (const server of [postgres, redis]) if (server.url !== undefined) await server.stop();
});

const missing =
  postgres.url === undefined ? postgres.missing : redis.url === undefined ? redis.missing : "";
const title = missing === "" ? "a process is killed at each point" : `skipped, because ${missing}`;
const SMALL = { inHand: 4, events: 40, processes: 2, kills: POINTS.length };

// oxlint-disable-next-line vitest/valid-title -- a skipped test is what shows the reason
describe.skipIf(missing !== "")(title, () => {
  const urls = { postgresUrl: postgres.url ?? "", redisUrl: redis.url };

  test("an inbox loses nothing and doubles nothing", async () => {
    const outcome = await runKills({ ...urls, ...SMALL, kind: "inbox", redisUrl: undefined });
    expect(outcome).toMatchObject({ lost: 0, doubled: 0, atOnce: 0, leaks: 0 });
    expect(outcome.kills).toBeGreaterThan(0);
  });

  test("a lease store loses nothing, and doubles at most what was cut off or failed", async () => {
    const outcome = await runKills({ ...urls, ...SMALL, kind: "redis" });
    expect(outcome).toMatchObject({ lost: 0, atOnce: 0, leaks: 0 });
    expect(outcome.kills).toBeGreaterThan(0);
    expect(outcome.doubled).toBeLessThanOrEqual(outcome.cutOff + outcome.failures);
  });
});
