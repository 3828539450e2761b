// Runs createMany in a separate process, to kill it and to measure its memory.
import { createConsoleClient, type CreateManyOptions } from "@fieldmesh/console-client";
import { READY, readTask } from "../support/child.ts";
import { heapUsed } from "../support/measure.ts";
import { openCheckpointFile } from "./checkpoint-file.ts";
import { makeFleet } from "./fleet.ts";

/** The task of a child process. */
export interface BulkTask {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly count: number;
  readonly seed: number;
  readonly options: CreateManyOptions;
  readonly checkpointFile?: string;
  readonly measuresMemory?: boolean;
}

/** The report of a child process at its end. */
export interface BulkResult {
  readonly created: number;
  readonly failed: number;
  readonly unknown: number;
  /** The largest growth of the heap during the run, after garbage collection. */
  readonly heldBytes: number;
  /** The size of the device list that existed before the run. */
  readonly listBytes: number;
}

const task = readTask() as BulkTask;
const { baseUrl, apiKey, count, seed, options, checkpointFile, measuresMemory = false } = task;
const client = createConsoleClient({ baseUrl, apiKey, retry: { baseDelay: 5 } });

const { load, save } = openCheckpointFile(checkpointFile);

const listBytes = measuresMemory ? await measureList() : 0;
const before = heapUsed();
let peak = before;
const updatePeak = (): void => {
  if (measuresMemory) peak = Math.max(peak, heapUsed());
};
process.send?.(READY);
const report = await client.devices
  .createMany(makeFleet(count, seed), {
    ...options,
    checkpoint: load(),
    onCheckpoint: save,
    onProgress: updatePeak,
  })
  .report();
updatePeak();
const { created, failed, unknown, results } = report;
const result: BulkResult = { created, failed, unknown, heldBytes: peak - before, listBytes };
// The lists of the report belong to the memory of a run: they must live until here.
if (results.created.length > count) throw new Error("more devices are reported than were given");
process.send?.(result);
process.disconnect();

/** Returns the size of a decoded device list. */
async function measureList(): Promise<number> {
  const start = heapUsed();
  const list = await client.devices.list();
  const bytes = heapUsed() - start;
  return list.length > 0 ? bytes : 0;
}
