// Runs a change of many devices in a separate process, so that it can be killed.
import { readFileSync } from "node:fs";
import { createConsoleClient } from "@fieldmesh/console-client";
import { READY, readTask } from "../support/child.ts";
import { openCheckpointFile } from "./checkpoint-file.ts";
import { startChange, type ChangeInput } from "./run-changes.ts";
import { SETTLE_TIME } from "./run-fleet.ts";

/** The task of a child process. */
export interface ChangeTask {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly checkpointFile: string;
  /** Holds a ChangeInput, which is too long for the arguments of a process. */
  readonly inputFile: string;
}

/** The report of a child process at its end. */
export interface ChangeCounts {
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
}

const { baseUrl, apiKey, checkpointFile, inputFile } = readTask() as ChangeTask;
const client = createConsoleClient({ baseUrl, apiKey, retry: { baseDelay: 5 } });
const { load, save } = openCheckpointFile(checkpointFile);
const input = JSON.parse(readFileSync(inputFile, "utf8")) as ChangeInput;
process.send?.(READY);
const { done, failed, unknown } = await startChange(client, input, {
  settleTime: SETTLE_TIME,
  checkpoint: load(),
  onCheckpoint: save,
});
process.send?.({ done, failed, unknown } satisfies ChangeCounts);
process.disconnect();
