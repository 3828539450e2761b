import { systemClock } from "@fieldmesh/core";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createSandbox } from "@fieldmesh/sandbox";
import { limit, note } from "../support/report.ts";
import { startVirtualTime } from "./virtual-time.ts";

const MINUTE = 60_000;
const MOST_MINUTES = 30;
const REQUESTS = 100;
const LANES = 8;
const TOO_MANY_REQUESTS = 429;
const DAYS = 14;
const HOTSPOTS = 40;

/** A walk in eight lanes where 100 requests a minute are allowed, in virtual time. */
export async function walkInLanes(): Promise<void> {
  const time = startVirtualTime();
  const sandbox = createSandbox({
    clock: systemClock,
    ledger: { requestsPerMinute: REQUESTS, hotspots: HOTSPOTS, blockInterval: Infinity },
  });
  const { baseUrl, fetch, state } = sandbox.ledger;
  const sent: { at: number; status: number }[] = [];
  const client = createLedgerClient({
    baseUrl,
    fetch,
    totalTimeout: MOST_MINUTES * MINUTE,
    rateLimit: { requests: REQUESTS },
    hooks: { onResponse: ({ status }) => void sent.push({ at: time.now(), status }) },
  });
  const end = state.clock.now();
  const rewards = client.accounts.rewards({
    address: state.chain.addresses.of(7),
    min_time: new Date(end - DAYS * 24 * 60 * MINUTE),
    max_time: new Date(end),
  });
  let [count, isOver] = [0, false];
  const walk = (async () => {
    for await (const _ of rewards.parallel({ lanes: LANES })) count++;
    isOver = true;
  })();
  await time.run(MOST_MINUTES * MINUTE, () => isOver);
  const took = time.now();
  await walk;
  time.end();
  const rejected = sent.filter(({ status }) => status === TOO_MANY_REQUESTS).length;
  // The shortest possible time for this number of requests: the last window need not be full.
  const least = Math.floor((sent.length - 1) / REQUESTS) * MINUTE;
  note(
    `${count} rewards in ${LANES} lanes at ${REQUESTS} requests a minute: ${sent.length} requests in ${(took / MINUTE).toFixed(2)} minutes.`,
  );
  limit("lanes below a limit: 429s", rejected, { most: 0 });
  limit("lanes below a limit: used part of it", least / took, { least: 0.95 });
}
