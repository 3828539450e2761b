// Creates 100,000 devices in a console that fails in every tenth request: npm run bench:bulk
import { createConsoleClient } from "@fieldmesh/console-client";
import { startSandbox } from "@fieldmesh/sandbox";
import { makeFleet } from "./bulk/fleet.ts";
import { runChild, runWithKills } from "./bulk/run-child.ts";
import {
  bulkOptions,
  runFleet,
  startFaultyConsole,
  type FleetOutcome,
  type FleetRun,
} from "./bulk/run-fleet.ts";
import { median } from "./median.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
const SEEDS = [1, 2, 3, 4, 5];
const RULES = ["refused", "allowed"] as const;
const KILLS = 20;
// Late enough for a process to have sent something, early enough for 20 kills in one import.
const FIRST_KILL = 150;
const LAST_KILL = 500;

const BYTES_PER_DEVICE = 200;

let isWrong = false;

console.log(`${COUNT} devices, every tenth request fails\n`);
console.log(
  "duplicates  seed  created  failed  unknown  lost  twice  wrongly failed  requests  ratio",
);
const ratios: number[] = [];
for (const duplicates of RULES) {
  for (const seed of SEEDS) ratios.push((await row({ count: COUNT, seed, duplicates })).ratio);
}
const middle = median(ratios);
console.log(
  `requests over those of a run without faults: median ${middle.toFixed(2)}, worst ${Math.max(...ratios).toFixed(2)}`,
);
isWrong ||= middle > 1.15 || Math.max(...ratios) > 1.3;

console.log("\nwith time-outs in the mix");
for (const duplicates of RULES)
  await row({ count: COUNT, seed: 3, duplicates, withTimeouts: true });

console.log("\nkilled at random moments and resumed");
for (const duplicates of RULES) await killed({ count: COUNT, seed: 1, duplicates });

await memory();
process.exitCode = isWrong ? 1 : 0;
console.log(isWrong ? "\nNOT as promised" : "\nas promised");

async function row(run: FleetRun): Promise<FleetOutcome> {
  const outcome = await runFleet(run);
  const { report, lost, createdTwice, failedButThere, unaccounted, requests, ratio } = outcome;
  const cells = [
    run.duplicates,
    run.seed,
    report.created,
    report.failed,
    report.unknown,
    lost,
    createdTwice,
    failedButThere,
    requests,
    ratio.toFixed(2),
  ];
  const widths = [10, 4, 7, 6, 7, 4, 5, 14, 8, 5];
  console.log(cells.map((cell, at) => String(cell).padStart(widths[at]!)).join("  "));
  const total = report.created + report.failed + report.unknown;
  isWrong ||= lost + createdTwice + failedButThere + unaccounted > 0 || total !== run.count;
  isWrong ||= run.withTimeouts !== true && report.created !== run.count;
  return outcome;
}

async function killed(run: FleetRun): Promise<void> {
  await using sandbox = await startFaultyConsole(run);
  const killTimes = Array.from(
    { length: KILLS },
    () => FIRST_KILL + Math.random() * (LAST_KILL - FIRST_KILL),
  );
  const { result, kills, checkpointBytes, checkpointHoldsKey } = await runWithKills(
    sandbox,
    { count: run.count, seed: run.seed, options: bulkOptions(run) },
    killTimes,
  );
  const { created, failed, unknown } = result;
  const held = sandbox.console.state.devices.size;
  console.log(
    `${run.duplicates.padStart(10)}  ${kills} kills: ${created} created, ${failed} failed, ${unknown} unknown, ${held} in the console, checkpoint ${checkpointBytes} bytes`,
  );
  isWrong ||= created !== run.count || held !== run.count || checkpointHoldsKey;
}

async function memory(): Promise<void> {
  await using sandbox = await startSandbox({
    console: { data: "empty", deployment: { requestsPerMinute: Number.MAX_SAFE_INTEGER } },
  });
  const { baseUrl } = sandbox.console;
  const client = createConsoleClient({ baseUrl, apiKey: sandbox.apiKey });
  for await (const result of client.devices.createMany(makeFleet(COUNT, 9)))
    if (result.status !== "created") throw new Error(result.error);
  const result = await runChild({
    baseUrl,
    apiKey: sandbox.apiKey,
    count: COUNT,
    seed: 8,
    options: {},
    measuresMemory: true,
  });
  const { heldBytes, listBytes } = result!;
  const perDevice = heldBytes / COUNT;
  console.log(
    `\nheld by a run with its report: ${perDevice.toFixed(0)} bytes a device; a device list: ${(listBytes / COUNT).toFixed(0)}`,
  );
  isWrong ||= heldBytes > listBytes + BYTES_PER_DEVICE * COUNT;
}
