import { setTimeout as sleep } from "node:timers/promises";
import { createChance } from "../parts/chance.ts";
import { DOORS, perform, type Call, type Door } from "./perform.ts";
import type { Expected, Family, Program, Row, World } from "../parts/row.ts";

/** One call in one of the ways, and its required result. */
export interface Case {
  readonly family: string;
  readonly fault: string;
  readonly door: string;
  readonly expected: string;
  readonly needs?: Program | undefined;
  readonly heavy?: boolean | undefined;
  readonly prepare?: (() => Promise<void>) | undefined;
  /** The required result as a sentence, if `expected` is not one that a reader understands. */
  readonly sentence?: string | undefined;
  /** Runs it and returns how it ended, in the words of `expected`. */
  readonly run: (trial: Trial) => Promise<string>;
}

/** One run of a case. */
export interface Trial {
  readonly seed: number;
  /** Aborts when the case must end, or when it uses too much memory. Then everything that it has started must be ended. */
  readonly limit: AbortSignal;
}

/** Makes a call: in this process, or in another runtime. */
export type Perform = (call: Call) => Promise<string>;

/** Returns the cases of a family of rows: one for each way of calling for which a row has an expectation. */
export function casesOf({ title, rows }: Family, performCall: Perform = perform): Case[] {
  return rows.flatMap((row) =>
    (Object.keys(DOORS) as Door[]).flatMap((door) => {
      const expected = expectationOf(row, door);
      if (expected === undefined) return [];
      const { fault, needs, heavy, prepare } = row;
      const run = (trial: Trial) => runRow(row, door, trial, performCall);
      return [{ family: title, fault, door, expected, needs, heavy, prepare, run }];
    }),
  );
}

function expectationOf(row: Row, door: Door): string | undefined {
  const [method, way] = door.split(" ") as ["GET" | "POST", "request" | "method"];
  const expected: Expected | undefined = method === "GET" ? row.get : row.post;
  return typeof expected === "object" ? expected[way] : expected;
}

// The caller's code runs within this time after an abort, even if another call uses the processor.
const PROMPT = 250;
const SETTLED = 10;
// A connection that a client has ended is closed at the server within this time, on a busy machine too.
const CLOSED = 1_000;

async function runRow(
  row: Row,
  door: Door,
  { seed, limit }: Trial,
  performCall: Perform,
): Promise<string> {
  const caller = new AbortController();
  const ended = new AbortController();
  let abortedAt = Infinity;
  const abort = () => {
    abortedAt = Math.min(abortedAt, performance.now());
    caller.abort();
  };
  const context = { chance: createChance(seed), abort, ended: ended.signal };
  const world = await row.world(context);
  // Whatever the client ignores: at the limit, its signal aborts, and its server closes every connection.
  const dispose = () => (ended.abort(), world[Symbol.asyncDispose]());
  const stop = () => (caller.abort(), void dispose());
  limit.addEventListener("abort", stop, { once: true });
  // Node 22 has no `await using`.
  try {
    let before = 0;
    const began = performance.now();
    const end = await performCall({
      door,
      url: world.url,
      fetch: world.fetch,
      signal: caller.signal,
      options: typeof row.options === "function" ? row.options(context) : row.options,
      warm: row.warm && (() => (before = world.requests())),
    });
    const now = performance.now();
    const isLate = now - abortedAt > PROMPT || now - began > (row.within ?? Infinity);
    const late = isLate ? " LATE" : "";
    ended.abort();
    // A request may still be in flight, even one that should not have been sent.
    await sleep(SETTLED);
    const stray = (world.strayKeys?.() ?? 0) > 0 ? " KEY-ELSEWHERE" : "";
    const open = (await isClosed(world.leftOpen)) ? "" : " OPEN";
    return `${end} ×${world.requests() - before}${late}${stray}${open}`;
  } finally {
    limit.removeEventListener("abort", stop);
    await dispose();
  }
}

/** Tells whether the server has no connection that the call has left behind, and waits a moment for it. */
export async function isClosed(leftOpen: World["leftOpen"]): Promise<boolean> {
  const until = performance.now() + CLOSED;
  for (;;) {
    if ((leftOpen?.() ?? 0) <= 0) return true;
    if (performance.now() > until) return false;
    await sleep(SETTLED);
  }
}

/** Tells whether a result is one of the expected ones, which `or` separates, word by word. */
export function fits(expected: string, got: string): boolean {
  return expected.split(" or ").some((end) => {
    const words = end.split(" ");
    const gotWords = got.split(" ");
    return (
      words.length === gotWords.length &&
      words.every((word, index) => isWord(word, gotWords[index] ?? ""))
    );
  });
}

/** Compares a word with the words between `|`. `HPE_*` matches every word that begins with `HPE_`. */
function isWord(expected: string, got: string): boolean {
  return expected
    .split("|")
    .some((each) => (each.endsWith("*") ? got.startsWith(each.slice(0, -1)) : got === each));
}
