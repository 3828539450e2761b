import type { SharedRateLimit } from "@fieldmesh/console-client";
import { postgresRateLimit, redisRateLimit } from "@fieldmesh/rate-limit";
import { Redis } from "ioredis";
import pg from "pg";
import { limit, note } from "../support/report.ts";
import { callFor, MINUTES } from "./call-for.ts";
import { createService } from "./service.ts";
import { startVirtualTime, type VirtualTime } from "./virtual-time.ts";

const MINUTE = 60_000;
const TOO_MANY_REQUESTS = 429;

/** The limiter for PostgreSQL compares times of Date, which are virtual here. */
export async function shareThroughPostgres(url: string): Promise<void> {
  const pools = Array.from(
    { length: 8 },
    () => new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 }),
  );
  for (const pool of pools) await pool.query("SELECT 1");
  const time = startVirtualTime();
  await share(
    "PostgreSQL",
    time,
    pools.map((pool) => postgresRateLimit(pool)),
  );
  time.end();
  for (const pool of pools) await pool.end();
}

/** Redis uses its own time, so keys that have expired by virtual time are removed by hand. */
export async function shareThroughRedis(url: string): Promise<void> {
  const WINDOW_AND_MARGIN = 61_000;
  const clients = Array.from({ length: 8 }, () => new Redis(url));
  for (const client of clients) await client.ping();
  const time = startVirtualTime();
  let expiresAt = Infinity;
  const stores = clients.map((client): SharedRateLimit => {
    const store = redisRateLimit(client);
    return {
      async take(budget) {
        if (time.now() >= expiresAt) {
          expiresAt = Infinity;
          await client.flushall();
        }
        const wait = await store.take(budget);
        if (wait === 0 && expiresAt === Infinity) expiresAt = time.now() + WINDOW_AND_MARGIN;
        return wait === 0 ? 0 : Math.max(1, expiresAt - time.now());
      },
      async block(budget, milliseconds) {
        await store.block(budget, milliseconds);
        expiresAt = time.now() + milliseconds;
      },
    };
  });
  await share("Redis", time, stores);
  time.end();
  for (const client of clients) client.disconnect();
}

/** Eight independent clients send far more requests than the limit allows. One of them dies after five minutes. */
async function share(
  name: string,
  time: VirtualTime,
  stores: readonly SharedRateLimit[],
): Promise<void> {
  const [LIMIT, AT_ONCE] = [600, 10];
  const service = createService(LIMIT, { says: "retry-after", body: [] });
  const callers = stores.map((shared, sender) => ({
    service,
    sender,
    rateLimit: { requests: LIMIT, shared: held(shared, time) },
    atOnce: AT_ONCE,
    ...(sender === 0 && { until: (MINUTES / 2) * MINUTE }),
  }));
  const failed = await callFor(time, callers);
  const inTime = service.requests.filter(
    ({ at }) => at - service.requests[0]!.at < MINUTES * MINUTE,
  );
  const accepted = inTime.filter(({ status }) => status !== TOO_MANY_REQUESTS);
  const rejected = inTime.filter(({ status }) => status === TOO_MANY_REQUESTS);
  const groups = Map.groupBy(rejected, ({ window, sender }) => `${window} ${sender}`);
  const mostRejected = Math.max(0, ...[...groups.values()].map(({ length }) => length));
  const counts = stores.map(
    (_, sender) => accepted.filter((each) => each.sender === sender).length,
  );
  const alive = counts.slice(1);
  const lastWindows = accepted.filter(
    ({ window }) => window > MINUTES / 2 + 1 && window < MINUTES - 1,
  );
  const perWindow = [...Map.groupBy(lastWindows, ({ window }) => window).values()].map(
    ({ length }) => length,
  );
  note(
    `Eight clients with ${name}, ${LIMIT} a minute, ${MINUTES} minutes, one dies in the middle: ${rejected.length} 429s; requests by client ${counts.join(", ")}.`,
  );
  limit(`${name}: failed calls`, failed, { most: 0 });
  limit(`${name}: 429s of a client in a window`, mostRejected, { most: 1 });
  limit(`${name}: used part of the limit`, accepted.length / (LIMIT * MINUTES), { least: 0.95 });
  limit(`${name}: slowest over fastest`, Math.min(...alive) / Math.max(...alive), { least: 0.8 });
  limit(`${name}: used part after one has died`, Math.min(...perWindow) / LIMIT, { least: 0.95 });
}

/** Virtual time stops while the store is called. */
function held(store: SharedRateLimit, time: VirtualTime): SharedRateLimit {
  return {
    take: (budget) => time.real(store.take(budget)),
    block: (budget, milliseconds) => time.real(store.block(budget, milliseconds)),
  };
}
