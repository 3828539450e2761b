// Calls as often as a limit that it shares with other processes allows, until it is killed.
import { once } from "node:events";
import { createConsoleClient } from "@fieldmesh/console-client";
import { redisRateLimit } from "@fieldmesh/rate-limit";
import { Redis } from "ioredis";
import { READY, readTask } from "../support/child.ts";
import type { CallTask } from "./run-processes.ts";

const AT_ONCE = 10;
const MOST_WAIT = 600_000;

const { baseUrl, redisUrl, requests, sender } = readTask() as CallTask;
const redis = new Redis(redisUrl);
// A store that is not connected yet delays nothing.
await redis.ping();
const client = createConsoleClient({
  baseUrl,
  apiKey: "one-of-my-keys",
  allowInsecureHttp: true,
  headers: { "x-sender": String(sender) },
  totalTimeout: MOST_WAIT,
  rateLimit: { requests, shared: redisRateLimit(redis) },
});

process.on("disconnect", () => process.exit());
// All processes begin at the same time, independent of their start.
process.send?.(READY);
await once(process, "message");
await Promise.all(Array.from({ length: AT_ONCE }, keepCalling));

async function keepCalling(): Promise<never> {
  for (;;) {
    try {
      await client.labels.list();
    } catch {
      process.send?.("failed");
    }
  }
}
