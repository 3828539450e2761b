import type { Engine } from "./engine.ts";

/**
 * Connects to the queue of a URL: BullMQ for Redis, pg-boss for PostgreSQL. `lease` is the time in milliseconds until a worker
 * counts as dead. The queue and the lease use the same time.
 */
export async function openEngine(url: string, lease: number): Promise<Engine> {
  const { protocol, host } = new URL(url);
  const isRedis = protocol === "redis:" || protocol === "rediss:";
  const { open } = isRedis ? await import("./bullmq.ts") : await import("./pg-boss.ts");
  try {
    return await open(url, lease);
  } catch (cause) {
    const { message, code } = cause as { readonly message: string; readonly code?: unknown };
    // The URL contains a password.
    throw new Error(`The queue at ${host} cannot be reached: ${message || String(code)}`, {
      cause,
    });
  }
}
