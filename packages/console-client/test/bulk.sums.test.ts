// The numbers of a run agree at every end, whatever stops it, and the console's own list is the reference.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BulkChangeError, BulkError, type BulkCheckpoint } from "../src/index.ts";
import { deviceOf, idOf, startModel, type Fate, type Model, type Plan } from "./model-console.ts";

const RUNS = Number(process.env["SUM_RUNS"] ?? 250);
/** Most of a run is a wait, so many run at once. */
const AT_ONCE = 50;
/** Three chunks or more. */
const chunkSize = 4;
const KINDS = ["abort", "leave", "input", "onCheckpoint"] as const;

interface Stop {
  readonly kind: (typeof KINDS)[number];
  /** Milliseconds, results, devices or saves until the stop. */
  readonly at: number;
}

interface Story {
  readonly plan: Plan;
  readonly size: number;
  readonly concurrency: number;
  readonly stops: readonly Stop[];
  /** A slow consumer waits after so many results. */
  readonly pauseEvery: number;
}

const fates: readonly Fate[] = ["ok", "ok", "late", "lost", "truncated", "502 after", "429", "401"];
const stories: fc.Arbitrary<Story> = fc.record({
  plan: fc.record({
    duplicates: fc.constantFrom("allowed", "rejected"),
    fates: fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 8 }),
    lag: fc.constant({ behind: [0] }),
  }),
  size: fc.integer({ min: 3 * chunkSize, max: 7 * chunkSize }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  stops: fc.array(
    fc.record({ kind: fc.constantFrom(...KINDS), at: fc.integer({ min: 1, max: 11 }) }),
    { minLength: 1, maxLength: 3 },
  ),
  pauseEvery: fc.integer({ min: 1, max: 9 }),
});

type Counts = Readonly<
  Record<"succeeded" | "failed" | "skipped" | "unknown" | "unsettled", number>
>;
interface Numbers {
  readonly created?: number;
  readonly changed?: number;
  /** In a checkpoint, the digests of chunks. */
  readonly done?: number | readonly string[];
  readonly failed: number;
  readonly unknown: number;
  readonly skipped?: number;
  readonly unsettled: number;
}
const NONE: Numbers = { failed: 0, unknown: 0, unsettled: 0 };

function countsOf({ created = 0, changed = 0, done, skipped = 0, ...rest }: Numbers): Counts {
  const { failed, unknown, unsettled } = rest;
  const succeeded = created + changed + (typeof done === "number" ? done : 0);
  return { succeeded, failed, skipped, unknown, unsettled };
}

/** A verb: how a run of it begins, and how many devices the console shows as done. */
interface Verb {
  readonly begin: (model: Model, size: number) => void;
  readonly start: (
    model: Model,
    input: Iterable<number> | AsyncIterable<number>,
    options: Options,
  ) => AsyncIterable<{ readonly status: string }> & PromiseLike<Numbers>;
  readonly done: (model: Model, size: number) => number;
}

interface Options {
  readonly checkpoint: BulkCheckpoint | undefined;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onCheckpoint: (next: BulkCheckpoint) => void;
}

async function* mapped<T>(input: Iterable<number> | AsyncIterable<number>, to: (n: number) => T) {
  for await (const number of input) yield to(number);
}

const verbs: Readonly<Record<string, Verb>> = {
  createMany: {
    begin: () => {},
    start: (model, input, options) =>
      model.connect().devices.createMany(mapped(input, deviceOf), {
        chunkSize,
        settleTime: 1,
        timeout: model.timeout,
        ...options,
      }),
    done: ({ devices }) => {
      const euis = Array.from(devices.values(), ({ dev_eui }) => dev_eui);
      expect(new Set(euis).size, "a device exists twice").toBe(euis.length);
      return euis.length;
    },
  },
  addLabelMany: {
    begin: (model, size) => {
      for (let number = 0; number < size; number++) model.add(deviceOf(number));
      model.restart();
    },
    start: (model, input, options) =>
      model.connect().devices.addLabelMany(
        mapped(input, (number) => ({ device_id: idOf(number + 1), label: model.label })),
        { chunkSize: 10, settleTime: 1, timeout: model.timeout, ...options },
      ),
    done: ({ devices, label }) =>
      [...devices.values()].filter(({ label_ids }) => label_ids.includes(label)).length,
  },
};

/** Runs until the stop, and checks that all numbers agree. Returns the place to resume at, or the report. */
async function runOnce(
  verb: Verb,
  model: Model,
  story: Story,
  stop: Stop | undefined,
  from?: BulkCheckpoint,
) {
  const { size, concurrency, pauseEvery } = story;
  const leaving = new AbortController();
  const timer =
    stop?.kind === "abort" && setTimeout(() => leaving.abort(new Error("stop")), stop.at * 5);
  const numbers = Array.from({ length: size }, (_, index) => index);
  async function* failing() {
    for (const number of numbers) {
      if (number === (stop?.at ?? 0) * 2) throw new Error("the input ends");
      yield number;
    }
  }
  let stored = from;
  let saves = 0;
  const run = verb.start(model, stop?.kind === "input" ? failing() : numbers, {
    checkpoint: from,
    concurrency,
    signal: leaving.signal,
    onCheckpoint: (next) => {
      if (stop?.kind === "onCheckpoint" && ++saves === stop.at) throw new Error("no disk");
      stored = JSON.parse(JSON.stringify(next)) as BulkCheckpoint;
    },
  });
  const received: Record<string, number> = { succeeded: 0, failed: 0, skipped: 0, unknown: 0 };
  let seen = 0;
  try {
    for await (const { status } of run) {
      const kind = status in received ? status : "succeeded";
      received[kind] = (received[kind] ?? 0) + 1;
      if (++seen % pauseEvery === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      if (stop?.kind === "leave" && seen === stop.at) break;
    }
    if (stop?.kind === "leave" && seen === stop.at) return { checkpoint: stored };
    const report = await run;
    check(verb, model, size, countsOf(report));
    return { report: countsOf(report) };
  } catch (error) {
    if (!(error instanceof BulkError || error instanceof BulkChangeError)) throw error;
    const counts = countsOf(error.progress);
    check(verb, model, size, counts);
    const { checkpoint = from } = error;
    if (checkpoint) expect(countsOf(checkpoint), "progress, checkpoint").toEqual(counts);
    if (checkpoint && stop?.kind === "abort") expect(stored, "stored").toEqual(checkpoint);
    const base = countsOf(from ?? NONE);
    for (const kind of ["succeeded", "failed", "skipped", "unknown"] as const) {
      // What failed or became unknown in an earlier run is delivered again, and counted once.
      const again = received[kind]! - (counts[kind] - base[kind]);
      expect(again, `${kind} that a loop received`).toBeGreaterThanOrEqual(0);
      const most = kind === "failed" || kind === "unknown" ? base[kind] : 0;
      expect(again, `${kind} that a loop received`).toBeLessThanOrEqual(most);
    }
    const { results } = error as BulkError & BulkChangeError;
    const listed = "created" in results ? results.created : (results as { done: unknown[] }).done;
    expect(listed, "results").toHaveLength(received["succeeded"]!);
    return { checkpoint };
  } finally {
    if (timer) clearTimeout(timer);
  }
}

function check(verb: Verb, model: Model, size: number, counts: Counts): void {
  const { succeeded, failed, skipped, unknown, unsettled } = counts;
  const done = verb.done(model, size);
  expect(succeeded + failed + skipped + unknown + unsettled, "the sum").toBeLessThanOrEqual(size);
  expect(done, "done in the console").toBeGreaterThanOrEqual(succeeded);
  expect(done, "what no number has").toBeLessThanOrEqual(succeeded + unknown + unsettled);
}

async function tell(verb: Verb, story: Story): Promise<void> {
  // Each model has the short timeout of late work.
  const model = startModel({ ...story.plan, fates: [...story.plan.fates, "late"] });
  verb.begin(model, story.size);
  let checkpoint: BulkCheckpoint | undefined;
  for (let runs = 0; runs < 20; runs++) {
    const end = await runOnce(verb, model, story, story.stops[runs], checkpoint);
    if (end.report === undefined) {
      ({ checkpoint } = end);
      continue;
    }
    await model.quiet();
    const { succeeded, failed, skipped, unknown, unsettled } = end.report;
    check(verb, model, story.size, end.report);
    expect([unsettled, succeeded + failed + skipped + unknown]).toEqual([0, story.size]);
    return;
  }
  throw new Error("the run never ends");
}

for (const [name, verb] of Object.entries(verbs))
  test(`${name}: at every end, the numbers agree with each other and with the console`, async () => {
    const seed = Number(process.env["SUM_SEED"] ?? Date.now());
    const all = fc.sample(stories, { numRuns: RUNS, seed }).entries();
    // Shared by all workers: each takes the next story.
    const work = async () => {
      for (const [at, story] of all)
        await tell(verb, story).catch((error: unknown) => {
          const what = `SUM_SEED=${seed}, story ${at}: ${JSON.stringify(story)}`;
          throw new Error(`${(error as Error).message}\n${what}`, { cause: error });
        });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }, 1_200_000);
