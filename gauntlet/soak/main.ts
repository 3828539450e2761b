// Everything in one process, for half an hour, with random faults of stores, vaults, the service and the clock:
//
//   node --expose-gc gauntlet/soak/main.ts [--minutes 30] [--seed <a random one>]
//
// Prints the seed first. Exit code 1 if anything was lost or doubled, or is left at the end.
import { randomInt } from "node:crypto";
import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createChance } from "../parts/chance.ts";
import { createChaos, jumpClock } from "./chaos.ts";
import {
  call,
  createClients,
  createDeliveries,
  createFleet,
  live,
  walk,
  type Soak,
} from "./lanes.ts";
import { startService } from "./service.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: `${randomInt(2 ** 31)}` },
  },
});
console.log(`seed ${values.seed}`);
const MINUTE = 60_000;
const length = Number(values.minutes) * MINUTE;
// After 3 of 30 minutes, everything that is kept is there.
const WARM = 0.1;
const MOST_GROWTH = 10 * 2 ** 20;
/** fetch closes an idle connection after four seconds. */
const IDLE = 8_000;

const found = new Map<string, number>();
const chaos = createChaos(createChance(Number(values.seed)));
const caller = new AbortController();
const clock = new AbortController();
const soak: Soak = {
  chaos,
  service: await startService(chaos),
  signal: caller.signal,
  wrong: (what) => void found.set(what, (found.get(what) ?? 0) + 1),
  counts: {},
};
process.on("unhandledRejection", (error) => soak.wrong(`unhandled: ${String(error)}`));

const { console: client, ledger } = createClients(soak);
const { deliver } = createDeliveries(soak);
const began = performance.now();
let number = 0;
const work: readonly (readonly [lanes: number, run: () => Promise<void>])[] = [
  [8, () => deliver(`evt_${++number}`)],
  [4, () => call(soak, client)],
  [2, () => walk(soak, ledger)],
  [2, () => createFleet(soak, client)],
  [1, () => live(soak)],
];
const lanes = work.flatMap(([count, run]) =>
  Array.from({ length: count }, async () => {
    while (!chaos.isCalm()) {
      await run();
      // The machine has other work too.
      await sleep(chaos.int(1, 40));
    }
  }),
);
const jumping = jumpClock(chaos, clock.signal);
const show = setInterval(
  () => console.error(Math.round((performance.now() - began) / 1_000), "s", soak.counts),
  MINUTE / 4,
);
await sleep(length * WARM);
const before = heap();
await sleep(length * (1 - WARM));
clock.abort();
await jumping;
chaos.calm();
await Promise.all(lanes);
clearInterval(show);
const { reads, writes } = client.rateLimit.state();
for (const [name, { inFlight, waiting }] of Object.entries({ reads, writes }))
  if (inFlight + waiting > 0) soak.wrong(`${inFlight} ${name} are in flight, and ${waiting} wait`);
await sleep(IDLE);
if (soak.service.origin.open() > 0)
  soak.wrong(`${soak.service.origin.open()} connections are open`);
const listeners = getEventListeners(caller.signal, "abort").length;
if (listeners > 0) soak.wrong(`${listeners} listeners are left on the signal`);
const after = heap();
if (after - before > MOST_GROWTH) soak.wrong(`the heap has grown by ${after - before} bytes`);
await soak.service.origin[Symbol.asyncDispose]();
await sleep(IDLE);
const timers = process
  .getActiveResourcesInfo()
  .filter((name) => name === "Timeout" || name.includes("TCP"));
if (timers.length > 0) soak.wrong(`left: ${timers.join(" ")}`);

const minutes = Math.round((performance.now() - began) / 6_000) / 10;
console.log(`${minutes} minutes, heap ${before} bytes, then ${after}`, soak.counts);
for (const [what, times] of found) console.log(`✗ ${what} (${times} times)`);
process.exitCode = found.size > 0 ? 1 : 0;

function heap(): number {
  if (gc === undefined) throw new Error("Run it with node --expose-gc.");
  gc();
  return process.memoryUsage().heapUsed;
}
