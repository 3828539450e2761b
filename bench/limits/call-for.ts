import { createConsoleClient, type RateLimitOption } from "@fieldmesh/console-client";
import type { LimitedService } from "./service.ts";
import type { VirtualTime } from "./virtual-time.ts";

const MINUTE = 60_000;
/** How long callers call. */
export const MINUTES = 10;

/** A client that calls for as long as it lives. */
export interface Caller {
  readonly service: LimitedService;
  readonly sender: number;
  readonly rateLimit: RateLimitOption;
  readonly atOnce: number;
  /** When it dies, in milliseconds. */
  readonly until?: number;
}

/** Runs callers for ten minutes, and returns how many of their calls failed. */
export async function callFor(time: VirtualTime, callers: readonly Caller[]): Promise<number> {
  const workers = callers.flatMap(({ service, sender, rateLimit, atOnce, until }) => {
    const client = createConsoleClient({
      baseUrl: "https://console.test",
      apiKey: "one-of-my-keys",
      fetch: service.fetchOf(sender),
      rateLimit,
      totalTimeout: 2 * MINUTES * MINUTE,
    });
    const end = until ?? MINUTES * MINUTE;
    const call = () => client.labels.list();
    return Array.from({ length: atOnce }, () => keepCalling(call, () => time.now() >= end));
  });
  await time.run(MINUTES * MINUTE);
  const ended = Promise.all(workers);
  let isOver = false;
  void ended.then(() => (isOver = true));
  // Calls that wait at the end receive their responses in the following windows.
  await time.run(10 * MINUTE, () => isOver);
  return (await ended).reduce((sum, failed) => sum + failed, 0);
}

/** Makes calls one after the other, as often as the service responds, until the time is over. */
async function keepCalling(call: () => Promise<unknown>, isOver: () => boolean): Promise<number> {
  let failed = 0;
  while (!isOver()) {
    try {
      await call();
    } catch {
      failed++;
    }
  }
  return failed;
}
