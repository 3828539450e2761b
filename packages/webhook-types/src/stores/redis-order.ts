import { options } from "@fieldmesh/core/internal";
import { openRedis, type RedisClient } from "@fieldmesh/core/internal/database";
import { firstClaimKey, type ObjectOrder, ofObject, type Sighting } from "./object-order.ts";
import { inRedis, type RedisOptions, SEVEN_DAYS } from "./store-options.ts";

const readOptions = /* @__PURE__ */ options("redisOrder", inRedis);

/**
 * Creates an `ObjectOrder` in Redis 6 or later, for receivers in any number of processes. It drops the same events as `memoryOrder`.
 * It cannot be used with an inbox.
 *
 * Redis has one key for each object, with the time of its newest event and nothing of its payload, and one for each event whose date
 * is ahead. It deletes the key when the retention has passed without an event of the object. The retention is longer than the
 * time in which an event is retried.
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
  const get = (key: string) => redis.command(["GET", prefix + key]);
  const counted = async ({ time, firstClaim }: Sighting) => Number((await get(firstClaim)) ?? time);
  return {
    isOlder: ofObject(false, async (seen) => {
      // In one round trip. A cluster may have the two keys on different servers.
      const [newest, time] = await Promise.all([get(seen.key), counted(seen)]);
      return newest !== null && time < Number(newest);
    }),
    remember: ofObject(undefined, async (seen) => {
      await redis.script(REMEMBER, prefix + seen.key, String(await counted(seen)), retention);
    }),
    firstClaim: async (event, now) =>
      Number(
        await redis.script(FIRST_CLAIM, prefix + firstClaimKey(event), String(now), retention),
      ),
  };
}

const FIRST_CLAIM = `local first = redis.call('GET', KEYS[1]) or ARGV[1]
redis.call('SET', KEYS[1], first, 'PX', ARGV[2])
return first`;

/** A script is atomic. */
const REMEMBER = `local newest = redis.call('GET', KEYS[1])
if not newest or tonumber(newest) < tonumber(ARGV[1]) then newest = ARGV[1] end
redis.call('SET', KEYS[1], newest, 'PX', ARGV[2])`;
