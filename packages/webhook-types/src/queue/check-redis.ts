import { hasMethod, isRecord, mistake } from "@fieldmesh/core/internal";
import { openRedis, type RedisClient } from "@fieldmesh/core/internal/database";

/** The settings with which Redis has written a job to disk before it says so, and never drops one. */
const REQUIRED = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };

const ADVICE = `Set ${Object.entries(REQUIRED)
  .map((each) => each.join(" "))
  .join(", ")}, or know what each setting loses: see the guide "Webhooks through a queue".`;

/** Reads the settings of Redis. Returns a line for a warning if they can lose a job, or cannot be read. Never rejects. */
export async function weaknessOf(redis: RedisClient): Promise<string | undefined> {
  let weak: string[];
  try {
    weak = await readWeak(redis);
  } catch {
    return `The settings of the Redis of the queue cannot be read, perhaps because CONFIG is not allowed. Accepted deliveries may be lost. ${ADVICE}`;
  }
  return weak.length === 0
    ? undefined
    : `The Redis of the queue has ${weak.join(", ")}: it may lose accepted deliveries. ${ADVICE}`;
}

async function readWeak(redis: RedisClient): Promise<string[]> {
  const { command } = openRedis("redis of queue", redis);
  const weak: string[] = [];
  for (const [name, required] of Object.entries(REQUIRED)) {
    // One by one, because Redis 6 accepts one name.
    const value = valueOf(await command(["CONFIG", "GET", name]), name);
    if (value !== required) weak.push(`${name} ${value}`);
  }
  return weak;
}

/** A list in the protocol of Redis 6, and a map in that of Redis 7, depending on the client. */
function valueOf(reply: unknown, name: string): string {
  const value: unknown = Array.isArray(reply)
    ? reply[1]
    : hasMethod(reply, "get")
      ? (reply as ReadonlyMap<string, unknown>).get(name)
      : isRecord(reply)
        ? reply[name]
        : undefined;
  if (typeof value !== "string" || !WORD.test(value)) throw mistake("no setting");
  return value;
}

/** All values of these settings are words, so that nothing else reaches a log. */
const WORD = /^[a-z-]{1,40}$/;
