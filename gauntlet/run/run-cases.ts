import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Chance } from "../parts/chance.ts";
import { isInstalled } from "../parts/program.ts";
import type { Program } from "../parts/row.ts";
import { type Case, fits } from "./cases.ts";
import { growthOf } from "./memory.ts";

/** A case that ran. */
export interface Result {
  readonly of: Case;
  readonly got: string;
  readonly passed: boolean;
}

// Twice the wait of the longest row.
const DEADLINE = 40_000;
// Most rows wait for a timeout or a socket, not for the processor.
const AT_ONCE = 4 * availableParallelism();

/** Runs cases: heavy ones alone, because memory is measured, and several of the others at a time. Each has its own seed. */
export async function runCases(cases: readonly Case[], chance: Chance): Promise<Result[]> {
  const results: Result[] = [];
  const unhandled = (error: unknown) => void stray.push(error);
  const stray: unknown[] = [];
  process.on("unhandledRejection", unhandled).on("uncaughtException", unhandled);
  const queue = cases.filter(({ heavy }) => heavy !== true);
  const work = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      results.push(await runCase(next, chance.int(0, 2 ** 31)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const each of cases.filter(({ heavy }) => heavy === true))
    results.push(await measured(each, chance.int(0, 2 ** 31)));
  process.off("unhandledRejection", unhandled).off("uncaughtException", unhandled);
  if (stray.length > 0) throw new AggregateError(stray, "errors that no call reported");
  const order = new Map(cases.map((each, index) => [each, index]));
  return results.sort((a, b) => (order.get(a.of) ?? 0) - (order.get(b.of) ?? 0));
}

async function runCase(of: Case, seed: number, end = new AbortController()): Promise<Result> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    end.abort();
    resolve("DID-NOT-END");
  }, DEADLINE);
  const unwatch = watch(`${of.family}: ${of.fault}, ${of.door}`, DEADLINE);
  const failed = (error: unknown) => `GAUNTLET-FAILED ${String(error)}`;
  const got = await Promise.race([of.run({ seed, limit: end.signal }).catch(failed), late]);
  clearTimeout(timer);
  unwatch();
  return { of, got, passed: fits(of.expected, got) };
}

async function measured(of: Case, seed: number): Promise<Result> {
  await of.prepare?.();
  // Ended at once, because a client that never stops reading would take all of the machine's memory.
  const end = new AbortController();
  const { result, grew } = await growthOf(
    () => runCase(of, seed, end),
    () => end.abort(),
  );
  return grew ? { ...result, got: `${result.got} MEMORY`, passed: false } : result;
}

/** After this share of its time, a case is not only late: its code lets no timer of this thread fire. */
const GRACE = 1.5;

/** Runs in a thread of its own, because code that never yields stops every timer of the thread that it runs in. */
const DOG = `
const { parentPort } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const timers = new Map();
parentPort.on("message", ({ id, name, limit }) => {
  clearTimeout(timers.get(id));
  timers.delete(id);
  if (name === undefined) return;
  timers.set(id, setTimeout(() => {
    writeSync(2, "✗ " + name + ": still runs after " + limit / 1000 + " s, and lets nothing else run\\n");
    process.kill(process.pid, "SIGKILL");
  }, limit));
});`;

let dog: Worker | undefined;
let count = 0;

/** Ends the process, and names the case, if it still runs long after its time. Returns what to call when the case has ended. */
function watch(name: string, limit: number): () => void {
  if (dog === undefined) {
    dog = new Worker(DOG, { eval: true });
    dog.unref();
  }
  const id = ++count;
  tell({ id, name, limit: limit * GRACE });
  return () => tell({ id });
}

function tell(message: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  dog?.postMessage(message);
}

const PROGRAMS: readonly Program[] = ["nginx", "haproxy"];

/** Leaves out the cases whose program is not installed, and prints a line for each such program. */
export function withoutMissing(cases: readonly Case[], say: (line: string) => void): Case[] {
  const missing = new Set(PROGRAMS.filter((program) => !isInstalled(program)));
  for (const program of missing) {
    const calls = cases.filter(({ needs }) => needs === program).length;
    if (calls > 0) say(`${calls} calls skipped, because ${program} is not installed`);
  }
  return cases.filter(({ needs }) => needs === undefined || !missing.has(needs));
}
