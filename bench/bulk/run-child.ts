import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreateManyOptions } from "@fieldmesh/console-client";
import type { RunningSandbox } from "@fieldmesh/sandbox";

/** What a child is to do. */
export interface ChildWork {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly count: number;
  readonly seed: number;
  readonly options: CreateManyOptions;
  readonly checkpointFile?: string;
  readonly measuresMemory?: boolean;
}

/** What it says at the end. */
export interface ChildResult {
  readonly created: number;
  readonly failed: number;
  readonly unknown: number;
  /** The most that the run held at a time, garbage aside. */
  readonly heldBytes: number;
  /** What a device list held that was there before the run; 0 where there was none. */
  readonly listBytes: number;
  readonly results: number;
}

/** Runs a child to its end; `undefined` where it was killed. */
export async function runChild(
  work: ChildWork,
  killAfter?: number,
): Promise<ChildResult | undefined> {
  const child = spawn(process.execPath, ["--expose-gc", join(import.meta.dirname, "child.ts")], {
    env: { ...process.env, FLEET_WORK: JSON.stringify(work) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  if (killAfter !== undefined)
    void sleep(killAfter, undefined, { ref: false }).then(() => child.kill("SIGKILL"));
  const code = await ended;
  if (code === null) return undefined;
  if (code !== 0) throw new Error(`the child ended with ${code}`);
  return JSON.parse(output) as ChildResult;
}

/** A run that is killed again and again, and goes on from its checkpoint each time. */
export async function runWithKills(
  sandbox: RunningSandbox,
  work: Omit<ChildWork, "baseUrl" | "apiKey" | "checkpointFile">,
  killTimes: readonly number[],
): Promise<{
  result: ChildResult;
  kills: number;
  checkpointBytes: number;
  checkpointHoldsKey: boolean;
}> {
  const folder = mkdtempSync(join(tmpdir(), "fleet-"));
  const checkpointFile = join(folder, "checkpoint.json");
  const whole = {
    ...work,
    baseUrl: sandbox.console.baseUrl,
    apiKey: sandbox.apiKey,
    checkpointFile,
  };
  let kills = 0;
  try {
    for (const killAfter of killTimes) {
      const result = await runChild(whole, killAfter);
      if (result !== undefined) return end(result);
      kills++;
    }
    const result = await runChild(whole);
    if (result === undefined) throw new Error("unreachable: nobody kills the last child");
    return end(result);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  function end(result: ChildResult) {
    const text = readFileSync(checkpointFile, "utf8");
    const isKey = (each: { app_key: string }): boolean => text.includes(each.app_key);
    return {
      result,
      kills,
      checkpointBytes: text.length,
      checkpointHoldsKey: [...sandbox.console.state.devices.values()].some(isKey),
    };
  }
}
