// Imports a fleet from its checkpoint. SIGTERM ends it as a deploy does; after a message, it is aborted and resumes by itself.
import { BulkError, createConsoleClient } from "@fieldmesh/console-client";
import { READY, readTask } from "../support/child.ts";
import { openCheckpointFile } from "./checkpoint-file.ts";
import { makeFleet } from "./fleet.ts";

/** The task of a child process. */
export interface StopTask {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly count: number;
  readonly seed: number;
  readonly timeout: number;
  readonly checkpointFile: string;
}

/** The numbers at one end of an import. */
export interface StopNumbers {
  readonly isEnd: boolean;
  readonly created: number;
  readonly failed: number;
  readonly skipped: number;
  readonly unknown: number;
  readonly unsettled: number;
}

const { baseUrl, apiKey, count, seed, timeout, checkpointFile } = readTask() as StopTask;
const client = createConsoleClient({ baseUrl, apiKey });
const { load, save } = openCheckpointFile(checkpointFile);
let stop = new AbortController();
const ended = new AbortController();
const abort = (): void => stop.abort(new Error("stopped"));
process.on("SIGTERM", () => {
  ended.abort();
  abort();
});
process.on("message", abort);
process.send?.(READY);

const fleet = [...makeFleet(count, seed)];
while (!ended.signal.aborted) {
  stop = new AbortController();
  const options = { timeout, signal: stop.signal, checkpoint: load(), onCheckpoint: save };
  const end = await client.devices.createMany(fleet, options).catch((error: unknown) => {
    if (error instanceof BulkError) return error;
    throw error;
  });
  const isEnd = !(end instanceof BulkError);
  const { created, failed, skipped, unknown, unsettled } = isEnd ? end : end.progress;
  process.send?.({ isEnd, created, failed, skipped, unknown, unsettled } satisfies StopNumbers);
  if (isEnd) break;
}
process.disconnect();
