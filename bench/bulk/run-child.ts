import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { READY, startChild } from "../support/child.ts";
import type { ChangeCounts, ChangeTask } from "./change-child.ts";
import type { BulkResult, BulkTask } from "./child.ts";
import type { Change, Fleet } from "./run-changes.ts";

/** Runs the child of an import to its end. */
export function runChild(task: BulkTask): Promise<BulkResult | undefined> {
  return runProgram("bulk/child.ts", task);
}

/** Runs an import that is killed several times and resumes from its checkpoint each time. */
export async function runWithKills(
  { console: { baseUrl, state }, apiKey }: RunningSandbox,
  work: Pick<BulkTask, "count" | "seed" | "options">,
  killTimes: readonly number[],
) {
  const { result, kills, checkpoint } = await killAndResume(killTimes, (files, killAfterMs) => {
    const task: BulkTask = { ...work, baseUrl, apiKey, checkpointFile: files.checkpointFile };
    return runProgram<BulkResult>("bulk/child.ts", task, killAfterMs);
  });
  return {
    ...result,
    kills,
    checkpointBytes: checkpoint.length,
    keysInCheckpoint: [...state.devices.values()].filter(({ app_key }) =>
      checkpoint.includes(app_key),
    ).length,
  };
}

/** Runs a change of a fleet that is killed several times and resumes from its checkpoint each time. */
export async function changeWithKills(
  { sandbox, ids, label }: Fleet,
  change: Change,
  killTimes: readonly number[],
) {
  const { result, kills } = await killAndResume(killTimes, (files, killAfterMs) => {
    writeFileSync(files.inputFile, JSON.stringify({ change, ids, label }));
    const { baseUrl } = sandbox.console;
    const task: ChangeTask = { ...files, baseUrl, apiKey: sandbox.apiKey };
    return runProgram<ChangeCounts>("bulk/change-child.ts", task, killAfterMs);
  });
  return { ...result, kills };
}

async function killAndResume<Result>(
  killTimes: readonly number[],
  run: (
    files: Pick<ChangeTask, "checkpointFile" | "inputFile">,
    killAfterMs: number | undefined,
  ) => Promise<Result | undefined>,
) {
  const folder = mkdtempSync(join(tmpdir(), "fleet-"));
  const files = {
    checkpointFile: join(folder, "checkpoint.json"),
    inputFile: join(folder, "input.json"),
  };
  let kills = 0;
  let result: Result | undefined;
  while ((result = await run(files, killTimes[kills])) === undefined) kills++;
  const checkpoint = readFileSync(files.checkpointFile, "utf8");
  rmSync(folder, { recursive: true });
  return { result, kills, checkpoint };
}

/** Runs a program to its end. Returns `undefined` if it was killed. */
async function runProgram<Result>(
  file: string,
  task: unknown,
  killAfterMs?: number,
): Promise<Result | undefined> {
  const child = startChild(file, task);
  let result: Result | undefined;
  let timer: NodeJS.Timeout | undefined;
  child.on("message", (message) => {
    if (message !== READY) result = message as Result;
    // Counted from here: on a busy machine a process needs seconds before it sends anything.
    else if (killAfterMs !== undefined)
      timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  });
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  if (code !== null && code !== 0) throw new Error(`the child ended with ${code}`);
  return code === null ? undefined : result;
}
