import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLedgerClient, type TimedPager, type Reward } from "@fieldmesh/ledger-client";
import { ledgerFaults, startSandbox } from "@fieldmesh/sandbox";
import { nextMessage, startChild } from "../support/child.ts";
import { limit, note, table } from "../support/report.ts";
import { countOf, type ExportTask } from "./export-file.ts";

const REWARDS = 200_000;
const HOTSPOTS = 200;
const MINUTES_A_REWARD = 10;
const MINUTE = 60_000;
const LATENCY = 20;
const LANES = 8;
const KILLS = 5;
const FAULT_RATE = 0.1;
const MEGABYTE = 1_000_000;

/** Reads 200,000 rewards in one lane and in eight. */
export async function compareLanes(): Promise<void> {
  await using sandbox = await startSandbox({ latency: LATENCY, logSize: 1, ledger: ledger() });
  const walks = {
    "one lane": (list: TimedPager<Reward>) => list.walk(),
    "8 lanes, as they come": (list: TimedPager<Reward>) => list.parallel({ lanes: LANES }),
    "8 lanes, in order": (list: TimedPager<Reward>) =>
      list.parallel({ lanes: LANES, order: "list" }),
  };
  const rows = [];
  for (const [name, walk] of Object.entries(walks)) {
    const lanes = countByLane();
    const client = createLedgerClient({
      baseUrl: sandbox.ledger.baseUrl,
      rateLimit: false,
      hooks: lanes.hooks,
    });
    const start = performance.now();
    let rewards = 0;
    for await (const _ of walk(client.accounts.rewards(queryOf(sandbox)))) rewards++;
    const seconds = (performance.now() - start) / 1_000;
    rows.push({
      walk: name,
      rewards,
      requests: lanes.all(),
      "of the longest lane": lanes.most(),
      seconds,
    });
  }
  note(`${REWARDS} rewards at ${LATENCY} ms, without a rate limit.`);
  table(rows);
  const [one, arrival] = rows;
  const part = (arrival?.["of the longest lane"] ?? 0) / (one?.requests ?? 1);
  limit("longest of 8 lanes, of the requests of one", part, { most: 0.16 });
  limit(
    "rewards that one of the walks lacks",
    REWARDS - Math.min(...rows.map((row) => row.rewards)),
    { most: 0 },
  );
}

/** Counts requests by lane: each begins in the first lane that is free. */
function countByLane() {
  const lanes: { busyWith: string | undefined; requests: number }[] = [];
  const end = ({ callId }: { callId: string }): void => {
    const lane = lanes.find(({ busyWith }) => busyWith === callId);
    if (lane !== undefined) lane.busyWith = undefined;
  };
  return {
    all: () => lanes.reduce((sum, { requests }) => sum + requests, 0),
    most: () => Math.max(...lanes.map(({ requests }) => requests)),
    hooks: {
      onRequest({ callId }: { callId: string }) {
        let lane = lanes.find(({ busyWith }) => busyWith === undefined);
        if (lane === undefined) lanes.push((lane = { busyWith: undefined, requests: 0 }));
        lane.busyWith = callId;
        lane.requests++;
      },
      onResponse: end,
      onFailure: end,
    },
  };
}

/** Exports 200,000 rewards through faults, expired cursors and kills. */
export async function exportThroughKills(): Promise<void> {
  await using sandbox = await startSandbox({
    latency: LATENCY,
    logSize: 1,
    ledger: { ...ledger(), expiringLists: "all", expiredText: "Cursor Expired" },
    faults: {
      rate: FAULT_RATE,
      kinds: ["reset", "lost", "truncate", 503, ledgerFaults.throttled, ledgerFaults.broken],
      seed: 1,
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-export-"));
  const task: ExportTask = {
    baseUrl: sandbox.ledger.baseUrl,
    query: queryOf(sandbox),
    file: join(folder, "rewards"),
    lanes: LANES,
  };
  let heapGrowth = 0;
  for (let run = 0; ; run++) {
    const child = startChild("limits/export-child.ts", task);
    const exit = once(child, "exit");
    const done = nextMessage<{ heapGrowth: number }>(child);
    const isKilled = run < KILLS;
    if (isKilled) {
      const before = progress(task.file);
      // After another sixth of the list, wherever the child is then.
      while (progress(task.file) - before < REWARDS / (KILLS + 1)) await sleep(5);
      child.kill("SIGKILL");
      sandbox.ledger.state.expireCursors();
      await exit;
      continue;
    }
    ({ heapGrowth } = await done);
    await exit;
    break;
  }
  const { missing, doubled } = countOf(task.file, REWARDS);
  note(
    `${REWARDS} rewards in ${LANES} lanes, every tenth request fails, ${KILLS} kills, and all cursors expire at each: ${missing} missing, ${doubled} doubled.`,
  );
  limit("rewards missing after kills", missing, { most: 0 });
  limit("rewards doubled after kills", doubled, { most: 0 });
  limit("growth of the heap in the last run, MB", heapGrowth / MEGABYTE, { most: 10 });
  rmSync(folder, { recursive: true });
}

function progress(file: string): number {
  if (!existsSync(`${file}.checkpoint`)) return 0;
  return (JSON.parse(readFileSync(`${file}.checkpoint`, "utf8")) as { items: number }).items;
}

function ledger() {
  return { hotspots: HOTSPOTS, blockInterval: Infinity, emptyPages: 0.02 };
}

function queryOf(sandbox: Awaited<ReturnType<typeof startSandbox>>) {
  const { state } = sandbox.ledger;
  const end = state.clock.now() - MINUTE;
  const rounds = REWARDS / HOTSPOTS;
  return {
    address: state.chain.addresses.of(7),
    min_time: new Date(end - rounds * MINUTES_A_REWARD * MINUTE).toISOString(),
    max_time: new Date(end).toISOString(),
  };
}
