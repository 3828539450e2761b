import { options } from "@fieldmesh/core/internal";
import { openRedis, type RedisClient } from "@fieldmesh/core/internal/database";
import { type ObjectOrder, ofObject } from "./object-order.ts";
import { inRedis, type RedisOptions, SEVEN_DAYS } from "./retention.ts";

const readOptions = /* @__PURE__ */ options("redisOrder", inRedis);

/**
 * Creates an `ObjectOrder` in Redis 6 or later, for receivers in any number of processes. It drops the same events as `memoryOrder`.
 * It cannot be used with an inbox.
 *
 * Redis has one key for each object, with the time of its newest event and nothing of its payload. It deletes the key when
 * the retention has passed without an event of the object. The retention is longer than the time in which an event is retried.
 *
 * @example
 * ```ts
 * createReceiver({ secret, store: redisStore(redis), order: redisOrder(redis), handlers });
 * ```
 */
export function redisOrder(client: RedisClient, given: RedisOptions = {}): ObjectOrder {
  const { prefix = "fieldmesh:object:", retention: remembered = SEVEN_DAYS } = readOptions(given);
  const retention = String(remembered);
  const redis = openRedis("redisOrder", client);
  return {
    isOlder: ofObject(false, async ({ key, time }) => {
      const newest = await redis.command(["GET", prefix + key]);
      return newest !== null && time < Number(newest);
    }),
    remember: ofObject(undefined, async ({ key, time }) => {
      await redis.script(REMEMBER, prefix + key, String(time), retention);
    }),
  };
}

/** A script is atomic. */
const REMEMBER = `local newest = redis.call('GET', KEYS[1])
if not newest or tonumber(newest) < tonumber(ARGV[1]) then newest = ARGV[1] end
redis.call('SET', KEYS[1], newest, 'PX', ARGV[2])`;
