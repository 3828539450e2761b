import { checkOptionNames } from "@fieldmesh/core/internal";
import { type ObjectOrder, sightingOf } from "./object-order.ts";
import { type RedisClient, senderOf } from "./redis-client.ts";
import { readRetention } from "./retention.ts";

/** Options of {@link redisOrder}. */
export interface RedisOrderOptions {
  /** The prefix of every key. Two receivers with different handlers need different prefixes. @default "fieldmesh:object:" */
  readonly prefix?: string | undefined;
  /** How many milliseconds an object is remembered, at least 3 days. @default 604_800_000, 7 days */
  readonly retention?: number | undefined;
}

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
export function redisOrder(client: RedisClient, options: RedisOrderOptions = {}): ObjectOrder {
  checkOptionNames("redisOrder", options, ["prefix", "retention"]);
  const { prefix = "fieldmesh:object:" } = options;
  const retention = String(readRetention(options.retention));
  const send = senderOf(client);
  return {
    isOlder: async (event) => {
      const seen = sightingOf(event);
      if (seen === undefined) return false;
      const newest = await send(["GET", prefix + seen.key]);
      return newest !== null && seen.time < Number(newest);
    },
    remember: async (event) => {
      const seen = sightingOf(event);
      if (seen === undefined) return;
      await send(["EVAL", REMEMBER, "1", prefix + seen.key, String(seen.time), retention]);
    },
  };
}

/** A script is atomic. */
const REMEMBER = `local newest = redis.call('GET', KEYS[1])
if not newest or tonumber(newest) < tonumber(ARGV[1]) then newest = ARGV[1] end
redis.call('SET', KEYS[1], newest, 'PX', ARGV[2])`;
