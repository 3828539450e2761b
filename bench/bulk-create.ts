// Creates 100,000 devices, and changes 2,000, in a console that fails in every tenth request: npm run bench -- bulk
// With another count and other seeds: npm run bench -- bulk 100000 6,7,8
import { createConsoleClient } from "@fieldmesh/console-client";
import { startSandbox } from "@fieldmesh/sandbox";
import { makeFleet } from "./bulk/fleet.ts";
import {
  CHANGES,
  countDoneTwice,
  countUnchanged,
  runChange,
  startFleet,
} from "./bulk/run-changes.ts";
import { changeWithKills, runChild, runWithKills } from "./bulk/run-child.ts";
import { bulkOptions, runFleet, startFaultyConsole, type FleetRun } from "./bulk/run-fleet.ts";
import { median } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
// Each of them is one request.
const CHANGED = Math.ceil(COUNT / 50);
const SEEDS = (process.argv[3] ?? "1,2,3,4,5").split(",").map(Number);
const RULES = ["rejected", "allowed"] as const;
const KILLS = 20;
// Late enough for a process to have sent something, early enough for 20 kills in one import.
const FIRST_KILL_MS = 150;
const LAST_KILL_MS = 500;
const BYTES_PER_DEVICE = 200;

await measureFaults();
await measureKills();
await measureChanges();
await measureKilledChanges();
await measureMemory();
finish();

async function measureFaults(): Promise<void> {
  note(`${COUNT} devices, every tenth request fails, some of them with a timeout.`);
  const runs = RULES.flatMap((duplicates): FleetRun[] => [
    ...SEEDS.map((seed) => ({ count: COUNT, seed, duplicates })),
    ...SEEDS.map((seed) => ({ count: COUNT, seed, duplicates, withTimeouts: true })),
  ]);
  const rows: (FleetRun & Awaited<ReturnType<typeof measureRun>>)[] = [];
  for (const run of runs) rows.push({ ...run, ...(await measureRun(run)) });
  table(rows.map((row) => ({ ...row, withTimeouts: `${row.withTimeouts === true}` })));
  const sum = (key: "lost" | "createdTwice" | "failedButThere" | "unaccounted"): number =>
    rows.reduce((total, row) => total + row[key], 0);
  limit("devices lost", sum("lost"), { most: 0 });
  limit("devices created twice", sum("createdTwice"), { most: 0 });
  limit("devices reported as failed that exist", sum("failedButThere"), { most: 0 });
  limit("devices in no list of the report, or in two", sum("unaccounted"), { most: 0 });
  const complete = rows.filter(({ withTimeouts }) => withTimeouts !== true);
  const created = Math.min(...complete.map((row) => row.created));
  limit("devices created without timeouts", created, { least: COUNT });
  const ratios = complete.map(({ ratio }) => ratio);
  limit("requests over those of a run without faults, median", median(ratios), { most: 1.15 });
  limit("requests over those of a run without faults, worst", Math.max(...ratios), { most: 1.3 });
}

async function measureRun(run: FleetRun) {
  const { report, ...counts } = await runFleet(run);
  const { created, failed, unknown } = report;
  return { created, failed, unknown, ...counts };
}

async function measureKills(): Promise<void> {
  note("Killed at random moments and resumed.");
  const rows = [];
  for (const duplicates of RULES) {
    const run = { count: COUNT, seed: SEEDS[0] ?? 1, duplicates };
    await using sandbox = await startFaultyConsole(run);
    const killTimes = randomKills(KILLS);
    const work = { count: COUNT, seed: run.seed, options: bulkOptions(run) };
    const {
      heldBytes: _,
      listBytes: __,
      ...outcome
    } = await runWithKills(sandbox, work, killTimes);
    const devices = sandbox.console.state.devices.size;
    rows.push({ duplicates, ...outcome, devices });
    limit(`killed, duplicates ${duplicates}: created`, outcome.created, { least: COUNT });
    limit(`killed, duplicates ${duplicates}: devices`, devices, { most: COUNT });
    limit(`killed, duplicates ${duplicates}: keys in the checkpoint`, outcome.keysInCheckpoint, {
      most: 0,
    });
  }
  table(rows);
}

function randomKills(length: number): number[] {
  return Array.from(
    { length },
    () => FIRST_KILL_MS + Math.random() * (LAST_KILL_MS - FIRST_KILL_MS),
  );
}

async function measureChanges(): Promise<void> {
  note(`${CHANGED} devices are changed, one request for each; every tenth request fails.`);
  const rows: ({ change: string; seed: number } & Awaited<ReturnType<typeof runChange>>)[] = [];
  for (const seed of SEEDS) {
    await using fleet = await startFleet(CHANGED, seed);
    for (const change of CHANGES) rows.push({ change, seed, ...(await runChange(fleet, change)) });
  }
  table(rows);
  const sum = (key: "lost" | "doneTwice" | "failedButDone" | "unaccounted"): number =>
    rows.reduce((total, row) => total + row[key], 0);
  limit("changes lost", sum("lost"), { most: 0 });
  limit("changes done twice that are not repeatable", sum("doneTwice"), { most: 0 });
  limit("changes reported as failed that are done", sum("failedButDone"), { most: 0 });
  limit("changed devices in no list of the report, or in two", sum("unaccounted"), { most: 0 });
  limit("changes done, least", Math.min(...rows.map(({ done }) => done)), { least: CHANGED });
}

async function measureKilledChanges(): Promise<void> {
  note("Changes that are killed at random moments and resumed.");
  await using fleet = await startFleet(CHANGED, SEEDS[0] ?? 1);
  const rows = [];
  for (const change of CHANGES) {
    fleet.sandbox.log.clear();
    const outcome = await changeWithKills(fleet, change, randomKills(KILLS / 4));
    const lost = countUnchanged(fleet, change);
    const doneTwice = countDoneTwice(fleet, change);
    rows.push({ change, ...outcome, lost, doneTwice });
    limit(`killed, ${change}: done`, outcome.done, { least: CHANGED });
    limit(`killed, ${change}: lost`, lost, { most: 0 });
    limit(`killed, ${change}: done twice`, doneTwice, { most: 0 });
  }
  table(rows);
}

async function measureMemory(): Promise<void> {
  await using sandbox = await startSandbox({
    console: { data: "empty", requestsPerMinute: Number.MAX_SAFE_INTEGER },
  });
  const { baseUrl } = sandbox.console;
  const { apiKey } = sandbox;
  const client = createConsoleClient({ baseUrl, apiKey });
  for await (const result of client.devices.createMany(makeFleet(COUNT, 9)))
    if ("error" in result) throw new Error(result.error);
  const task = { baseUrl, apiKey, count: COUNT, seed: 8, options: {}, measuresMemory: true };
  const { heldBytes, listBytes } = (await runChild(task))!;
  note("Memory of a run with its report, and of a device list.");
  table([
    { "run, bytes per device": heldBytes / COUNT, "list, bytes per device": listBytes / COUNT },
  ]);
  limit("memory of a run beyond a device list, bytes per device", (heldBytes - listBytes) / COUNT, {
    most: BYTES_PER_DEVICE,
  });
}
