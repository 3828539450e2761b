// A run of createMany in a process of its own, so that it can be killed and its memory be measured.
// Its work comes as JSON in the environment, its result goes out as one line of JSON.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createConsoleClient, type BulkCheckpoint } from "@fieldmesh/console-client";
import { makeFleet } from "./fleet.ts";
import type { ChildResult, ChildWork } from "./run-child.ts";

const work = JSON.parse(process.env["FLEET_WORK"] ?? "") as ChildWork;
const { baseUrl, apiKey, count, seed, options, checkpointFile } = work;
const client = createConsoleClient({ baseUrl, apiKey, retry: { baseDelay: 5 } });

const heapUsed = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const listBytes = work.measuresMemory ? await measureList() : 0;
const before = heapUsed();
let peak = before;
const report = await client.devices
  .createMany(makeFleet(count, seed), {
    ...options,
    checkpoint: load(),
    onCheckpoint: save,
    onProgress: () => {
      if (work.measuresMemory) peak = Math.max(peak, heapUsed());
    },
  })
  .report();
if (work.measuresMemory) peak = Math.max(peak, heapUsed());
const { created, failed, unknown, results } = report;
const result: ChildResult = {
  created,
  failed,
  unknown,
  heldBytes: peak - before,
  listBytes,
  results: results.created.length,
};
console.log(JSON.stringify(result));

/** What a device list of this size takes, once it is decoded. */
async function measureList(): Promise<number> {
  const start = heapUsed();
  const list = await client.devices.list();
  const bytes = heapUsed() - start;
  return list.length > 0 ? bytes : 0;
}

function load(): BulkCheckpoint | undefined {
  if (checkpointFile === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(checkpointFile, "utf8")) as BulkCheckpoint;
  } catch {
    return undefined;
  }
}

function save(checkpoint: BulkCheckpoint): void {
  if (checkpointFile === undefined) return;
  writeFileSync(`${checkpointFile}.new`, JSON.stringify(checkpoint));
  renameSync(`${checkpointFile}.new`, checkpointFile);
}
