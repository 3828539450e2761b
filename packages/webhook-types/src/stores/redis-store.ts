import { describeValue, mistake, options } from "@fieldmesh/core/internal";
import { openRedis, type RedisClient } from "@fieldmesh/core/internal/database";
import type { Claim, LeasableStore } from "./idempotency-store.ts";
import { inRedis, type RedisOptions, SEVEN_DAYS } from "./store-options.ts";

const readOptions = /* @__PURE__ */ options("redisStore", inRedis);

/**
 * Creates a store in Redis 6 or later, for receivers in any number of processes.
 *
 * Redis has one small hash for each event, with its times and nothing of its payload, and deletes it after the retention. All
 * times are those of the Redis server. The store is as durable as your Redis: if a failover loses the last writes, an event may
 * be handled again. Do not use it with a Redis that evicts keys.
 *
 * @example
 * ```ts
 * const store = redisStore(await createClient({ url: process.env.REDIS_URL! }).connect());
 * ```
 */
export function redisStore(client: RedisClient, given: RedisOptions = {}): LeasableStore {
  const { prefix = "fieldmesh:event:", retention: remembered = SEVEN_DAYS } = readOptions(given);
  const retention = String(remembered);
  const redis = openRedis("redisStore", client);
  const run = async (script: string, id: string, ...args: string[]): Promise<Reply> => {
    const reply = await redis.script(script, prefix + id, ...args);
    if (!isReply(reply))
      throw mistake(
        `redisStore expects the result of its script, not ${describeValue(reply)}. Pass a client that returns replies as Redis sends them.`,
      );
    return reply;
  };

  return {
    remembers: remembered,
    claim: async (id, token, lease): Promise<Claim> => {
      const [status, value, heldFor] = await run(CLAIM, id, token, String(lease), retention);
      if (status === "done") return { status };
      return status === "claimed"
        ? { status, attempt: Number(value) }
        : { status: "in_progress", endsIn: Number(value), heldFor: Number(heldFor) };
    },
    extend: async (id, token, lease) => (await run(EXTEND, id, token, String(lease)))[0] === "ok",
    complete: async (id, token) => (await run(COMPLETE, id, token, retention))[0] === "ok",
    release: async (id, token) => {
      await run(RELEASE, id, token);
    },
    forget: async (id, token) => {
      await run(FORGET, id, token);
    },
  };
}

type Reply = readonly [status: string, value: unknown, heldFor?: unknown];
const STATUSES = new Set(["claimed", "done", "in_progress", "ok", "lost"]);

/** A proxy, or a client in a transaction, returns something else, such as QUEUED. Nothing is then known about the event. */
function isReply(reply: unknown): reply is Reply {
  return Array.isArray(reply) && STATUSES.has(reply[0] as string);
}

// A script is atomic. The fields are: t token, s start and u end of the lease, n attempts, d when it was done.
const NOW = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
`;
const CLAIM = `${NOW}local e = redis.call('HMGET', KEYS[1], 't', 'u', 'n', 'd', 's')
if e[4] then return {'done', false} end
local mine = e[1] == ARGV[1]
local left = tonumber(e[2] or '0') - now
if left > 0 and not mine then return {'in_progress', tostring(left), tostring(now - e[5])} end
local n = tonumber(e[3] or '0')
if not mine then n = n + 1 end
redis.call('HSET', KEYS[1], 't', ARGV[1], 's', tostring(now), 'u', tostring(now + ARGV[2]), 'n', n)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {'claimed', tostring(n)}`;
/** Only the holder of the token continues. It may do so after the end of its lease, unless another process has claimed the event. */
const MINE = `if redis.call('HGET', KEYS[1], 't') ~= ARGV[1] then return {'lost', false} end
`;
const EXTEND = `${MINE}${NOW}redis.call('HSET', KEYS[1], 'u', tostring(now + ARGV[2]))
return {'ok', false}`;
const COMPLETE = `${MINE}${NOW}redis.call('HDEL', KEYS[1], 't', 's', 'u')
redis.call('HSET', KEYS[1], 'd', tostring(now))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'ok', false}`;
const RELEASE = `${MINE}redis.call('HDEL', KEYS[1], 't', 's', 'u')
return {'ok', false}`;
const FORGET = `${MINE}redis.call('DEL', KEYS[1])
return {'ok', false}`;
