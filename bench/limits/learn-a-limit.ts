import { limit, note } from "../support/report.ts";
import { callFor, MINUTES } from "./call-for.ts";
import { createService } from "./service.ts";
import { startVirtualTime } from "./virtual-time.ts";

const LIMIT = 100;
const AT_ONCE = 50;
const TOO_MANY_REQUESTS = 429;

/** Runs fifty concurrent calls for ten minutes, from clients without a configured limit. */
export async function learnALimit(): Promise<void> {
  const learned = await callWithoutLimit("headers");
  limit("failed calls, learned from headers", learned.failed, { most: 0 });
  limit("windows with 429s, learned from headers", learned.windows, { most: 1 });
  limit("429s, learned from headers", learned.rejected, { most: AT_ONCE });
  // Without headers nothing is learned: each window ends in a burst, and all calls wait for the time that the service names.
  const paused = await callWithoutLimit("retry-after");
  limit("failed calls, paused by Retry-After", paused.failed, { most: 0 });
  limit("429s in a window, paused by Retry-After", paused.rejected / paused.windows, {
    most: AT_ONCE,
  });
}

async function callWithoutLimit(says: "headers" | "retry-after") {
  const time = startVirtualTime();
  const service = createService(LIMIT, { says, body: [] });
  const caller = { service, sender: 0, rateLimit: undefined, atOnce: AT_ONCE };
  const failed = await callFor(time, [caller]);
  time.end();
  const all = service.requests.filter(({ status }) => status === TOO_MANY_REQUESTS);
  const windows = new Set(all.map(({ window }) => window)).size;
  const [rejected, used] = [all.length, service.requests.length - all.length];
  note(
    `${AT_ONCE} calls at once, ${LIMIT} a minute, told by ${says}, ${MINUTES} minutes: ${rejected} 429s in ${windows} windows, ${used} requests.`,
  );
  return { failed, rejected, windows };
}
