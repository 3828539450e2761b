// Runs the program as a user does, and kills it after given numbers of requests.
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "@fieldmesh/core";
import { LATER } from "./fleet-context.ts";
import { startSandbox, type Fault, type RunningSandbox } from "@fieldmesh/sandbox";

const PROGRAM = join(import.meta.dirname, "../../src/commands/cli.ts");
export const CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
const KINDS = ["lost", "reset", "truncate"] as const;

/** Starts a console that allows duplicates, so that a request that is sent twice creates two devices. */
export async function startConsole(): Promise<RunningSandbox<Clock>> {
  return await startSandbox<Clock>({
    clock: systemClock,
    logSize: 1,
    console: {
      data: "empty",
      uplinkInterval: Infinity,
      duplicates: "allowed",
      requestsPerMinute: 1e9,
    },
  });
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** The output of all runs. */
  readonly printed: string;
  readonly kills: number;
  /** The number of write requests of the last run. */
  readonly writes: number;
}

/**
 * Runs the program until it ends by itself. Each number of `killAfter` is how many writes a run may send before it is killed. One of
 * `faultyOne` requests breaks.
 */
export async function runKilled(
  sandbox: RunningSandbox<Clock>,
  args: readonly string[],
  {
    killAfter = [],
    faultyOne = Infinity,
    container = false,
  }: {
    readonly killAfter?: readonly number[];
    readonly faultyOne?: number;
    /** Each run is process 1 of its namespace. The lock of a killed run is left to the next one. */
    readonly container?: boolean;
  } = {},
): Promise<Ended> {
  let printed = "";
  let requests = 0;
  for (let kills = 0; ; kills++) {
    const child = startProgram(sandbox, args, container ? CONTAINER : [], kills * LATER);
    let stdout = "";
    const earlier = printed.length;
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    let writes = 0;
    sandbox.setFaults(({ method }): Fault | undefined => {
      if (method !== "GET" && ++writes === killAfter[kills]) child.kill("SIGKILL");
      const kind = KINDS[requests % KINDS.length];
      return ++requests % faultyOne === 0 && kind !== undefined ? { kind } : undefined;
    });
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.on("close", (...end) => resolve(end)),
    );
    printed += stdout;
    sandbox.setFaults(undefined);
    // What was at work at a kill and did not reach the console is unknown. The next apply sends it.
    const isOpen = code === 1 && /could not be made.*apply again/.test(printed.slice(earlier));
    if (signal !== "SIGKILL" && !(isOpen && kills === killAfter.length))
      return { code, stdout, printed, kills: Math.min(kills, killAfter.length), writes };
    if (container) continue;
    // Otherwise the next run waits for 30 seconds.
    for (const file of args) rmSync(`${file}.lock`, { recursive: true, force: true });
  }
}

/** Starts the program, with a console. */
function startProgram(
  sandbox: RunningSandbox<Clock>,
  args: readonly string[],
  prefix: readonly string[] = [],
  later = 0,
) {
  const [command, ...words] = [...prefix, process.execPath, PROGRAM, ...args];
  return spawn(command!, words, {
    env: {
      ...process.env,
      // The workspace sets the source condition only for its own tests.
      // The requests of a killed run are waited for. So each run begins minutes after the last one.
      NODE_OPTIONS: `--import "data:text/javascript,const now=Date.now;Date.now=()=>now()+${later}"`,
      CONSOLE_URL: sandbox.console.baseUrl,
      CONSOLE_KEY: sandbox.apiKey,
      FIELDMESH_PASSPHRASE: "correct horse",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs the program to its end. */
export async function runProgram(
  sandbox: RunningSandbox<Clock>,
  args: readonly string[],
): Promise<Pick<Ended, "code" | "printed">> {
  const child = startProgram(sandbox, args);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, printed };
}

/** Returns the files that contain a key of `keyOf`. */
export function filesWithKeys(files: readonly string[]): string[] {
  return files.filter((file) => hasKey(readFileSync(file, "latin1")));
}

export function hasKey(text: string): boolean {
  return (
    /5EC2E7/i.test(text) || text.includes(Buffer.from("5EC2E7").toString("base64").slice(0, 7))
  );
}
