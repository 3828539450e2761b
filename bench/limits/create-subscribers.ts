import { systemClock } from "@fieldmesh/core";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { createSandbox } from "@fieldmesh/sandbox";
import { limit, note } from "../support/report.ts";
import { startVirtualTime } from "./virtual-time.ts";

const MINUTE = 60_000;
const MINUTES = 10;
const TOO_MANY_REQUESTS = 429;

/** 300 writes, 64 at once, against the sandbox, which allows 120 a minute. */
export async function createSubscribers(): Promise<void> {
  const [CALLS, AT_ONCE, SHORTEST] = [300, 64, 2 * MINUTE];
  const time = startVirtualTime();
  const sandbox = createSandbox({ clock: systemClock });
  const { baseUrl, fetch, apiKey } = sandbox.mobile;
  let rejected = 0;
  const client = createMobileClient({
    baseUrl,
    fetch,
    apiKey,
    totalTimeout: MINUTES * MINUTE,
    hooks: { onResponse: ({ status }) => void (rejected += Number(status === TOO_MANY_REQUESTS)) },
  });
  let [left, done] = [CALLS, 0];
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      await client.subscribers.create({ email: `${left}@example.com`, name: "Ada" });
      done++;
    }
  };
  const all = Promise.all(Array.from({ length: AT_ONCE }, worker));
  await time.run(MINUTES * MINUTE, () => done === CALLS);
  const took = time.now();
  await all;
  time.end();
  note(
    `${CALLS} subscribers.create, ${AT_ONCE} at once, 120 a minute: ${rejected} of them met a 429.`,
  );
  limit("time of 300 creations, over the least possible", took / SHORTEST, { most: 1.05 });
}
