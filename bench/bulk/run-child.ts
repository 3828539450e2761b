import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { startChild } from "../support/child.ts";
import type { BulkResult, BulkTask } from "./child.ts";

/** Runs a child to its end. Returns `undefined` if it was killed. */
export async function runChild(
  task: BulkTask,
  killAfterMs?: number,
): Promise<BulkResult | undefined> {
  const child = startChild("bulk/child.ts", task);
  let result: BulkResult | undefined;
  child.once("message", (message) => (result = message as BulkResult));
  const timer = killAfterMs && setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  if (code !== null && code !== 0) throw new Error(`the child ended with ${code}`);
  return code === null ? undefined : result;
}

/** Runs an import that is killed several times and resumes from its checkpoint each time. */
export async function runWithKills(
  { console: { baseUrl, state }, apiKey }: RunningSandbox,
  work: Pick<BulkTask, "count" | "seed" | "options">,
  killTimes: readonly number[],
) {
  const folder = mkdtempSync(join(tmpdir(), "fleet-"));
  const checkpointFile = join(folder, "checkpoint.json");
  const task = { ...work, baseUrl, apiKey, checkpointFile };
  let kills = 0;
  let result: BulkResult | undefined;
  while ((result = await runChild(task, killTimes[kills])) === undefined) kills++;
  const checkpoint = readFileSync(checkpointFile, "utf8");
  rmSync(folder, { recursive: true });
  return {
    ...result,
    kills,
    checkpointBytes: checkpoint.length,
    keysInCheckpoint: [...state.devices.values()].filter(({ app_key }) =>
      checkpoint.includes(app_key),
    ).length,
  };
}
