import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { measure } from "mitata";

const ROUNDS = 25;
/** Short measurements in many rounds: a busy moment of the machine then affects all cases alike. */
const MEASUREMENT = { min_cpu_time: 40_000_000, batch_samples: 256, gc: false };
const NANOSECONDS_PER_MICROSECOND = 1_000;

/** One round shows that a benchmark works. Its figures have no meaning. */
const isShort = process.env["BENCH_SHORT"] !== undefined;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Measures how long a call of each case takes, in µs. */
export async function measureTimes<Name extends string>(
  cases: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, number>> {
  return await takeTurns(cases, ROUNDS, async (run) => {
    const { p50 } = await measure(run, MEASUREMENT);
    return p50 / NANOSECONDS_PER_MICROSECOND;
  });
}

/** Measures each case once per round, in turns, and returns the median of each. */
export async function takeTurns<Name extends string, Case>(
  cases: Readonly<Record<Name, Case>>,
  rounds: number,
  measureCase: (each: Case) => Promise<number>,
): Promise<Record<Name, number>> {
  const figures = await playTurns(cases, rounds, measureCase);
  const medians = Object.entries<number[]>(figures).map(([name, all]) => [name, median(all)]);
  return Object.fromEntries(medians) as Record<Name, number>;
}

/** Measures each case once per round, in turns, and returns the figures of all rounds. */
export async function playTurns<Name extends string, Case, Figure>(
  cases: Readonly<Record<Name, Case>>,
  rounds: number,
  measureCase: (each: Case) => Promise<Figure>,
): Promise<Record<Name, Figure[]>> {
  const figures = new Map<string, Figure[]>(Object.keys(cases).map((name) => [name, []]));
  const played = isShort ? 1 : rounds;
  for (let round = 0; round < played; round++)
    for (const [name, all] of figures) all.push(await measureCase(cases[name as Name]));
  return Object.fromEntries(figures) as Record<Name, Figure[]>;
}

/** Returns the median of some figures. For an even number of them, returns the higher of the middle two. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new RangeError("An empty list has no median.");
  return middle;
}

/** Returns the size of the heap in bytes after garbage collection. */
export function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
