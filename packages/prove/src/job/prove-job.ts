import { aFunction, anything, mistake, options, wholeNumber } from "@fieldmesh/core/internal";
import fc from "fast-check";
import { listOf } from "@fieldmesh/sandbox/internal/engine";
import { createSandbox, type Sandbox } from "@fieldmesh/sandbox/engine";
import { firstBroken, newSeed, createProgress, type ProofProgress } from "../progress.ts";
import { divertPrints } from "../prints.ts";
import { ProofError } from "../proof-error.ts";
import { pairs, readJobPlan, singlePlans, type JobPlan } from "./job-plan.ts";
import {
  builtInJobRules,
  secretsOf,
  type Expected,
  type ExpectedDevice,
  type ExpectedEvent,
  type JobRule,
} from "./job-rules.ts";
import { runJob, type Job, type JobRun } from "./run-job.ts";

/** Options of {@link proveJob}. */
export interface ProveJobOptions<Report = unknown> {
  /** The devices that must exist once when the job has returned. */
  readonly devices?: readonly ExpectedDevice[] | undefined;
  /** The events that must have happened once when the job has returned. */
  readonly events?: readonly ExpectedEvent[] | undefined;
  /** The services that each job starts with: it works on a fork. @default - a console without devices, in which an EUI may exist twice */
  readonly sandbox?: Sandbox | undefined;
  /** Your own rules by name, over the services, the report, the log and the checkpoint at the end. */
  readonly rules?: Readonly<Record<string, JobRule<Report>>> | undefined;
  /** Strings that must not be written anywhere, in addition to the keys of the services and of `devices`. */
  readonly secrets?: readonly string[] | undefined;
  /** Determines the random pairs of faults. @default - a new one, which the result and an error name */
  readonly seed?: number | undefined;
  /** How many random pairs of faults follow the single ones. @default 200 */
  readonly runs?: number | undefined;
  /** Tries this plan alone, as the message of a {@link ProofError} shows it. */
  readonly replay?: JobPlan | undefined;
  /** Receives how far the proof is, after each run. @default - a line a second on stderr, if that is a terminal */
  readonly onProgress?: ((progress: ProofProgress) => void) | undefined;
}

/** What was tried without breaking a rule. */
export interface JobProof {
  readonly seed: number;
  /** How often the whole job was tried, with a fault or two, or without any. */
  readonly runs: number;
  /** The requests and saves of the job, if nothing goes wrong. Each of them was struck by each fault. */
  readonly calls: number;
}

const DEFAULT_RUNS = 200;

const readOptions = options<ProveJobOptions>("proveJob", {
  devices: anything,
  events: listOf(
    options<ExpectedEvent>("event", { type: { required: anything }, object: anything }),
  ),
  sandbox: anything,
  rules: anything,
  secrets: anything,
  seed: wholeNumber(0),
  runs: wholeNumber(0),
  replay: readJobPlan,
  onProgress: aFunction,
});

/**
 * Searches for faults and kills that make a job lose a record, create one twice, or report what is not true.
 *
 * The job works on a fork of the services. It is called again after each end, as by a cron job, until it returns. At first, one
 * fault strikes each of its requests: a lost response, a reset, a response that breaks off, 500, or 429 with a wait. A kill strikes
 * each request and each save, before it is carried out and after. A kill or a stop by `world.signal` during a write leaves it at
 * work in the console, which carries it out 50 ms later, when the job runs again. Then random pairs follow. When the job has
 * returned, the rules are checked:
 *
 * - no secret is written: in a checkpoint, the log, the report, an error or what is printed, in any letter case, with separators,
 *   in base64 or percent-encoded
 * - each run ends, and one returns
 * - each expected record exists once
 * - a record that the report calls created exists: `created` is an array of EUIs, ids or records
 *
 * Rejects with a {@link ProofError} that shows the fewest faults that were found, as a test to paste, and what the job printed. No
 * other run prints anything. What your job keeps outside
 * of `world`, such as a database, belongs into `world.survives`. The clients wait in real time: give them a short
 * `retry.baseDelay`, and `createMany` a short `timeout` above those 50 ms, because a run that resumes waits for twice as long. A 429
 * costs a second.
 *
 * Throws a TypeError for options that cannot work. Needs the package fast-check.
 *
 * @example
 * ```ts
 * await proveJob(
 *   async (world) => {
 *     const client = createConsoleClient({ baseUrl: world.baseUrl, apiKey: world.apiKey, fetch: world.fetch });
 *     return client.devices.createMany(devices, {
 *       timeout: 150,
 *       checkpoint: (await world.checkpoint.load()) as BulkCheckpoint | undefined,
 *       onCheckpoint: (place) => world.checkpoint.save(place),
 *     });
 *   },
 *   { devices },
 * );
 * ```
 */
export async function proveJob<Report>(
  run: Job<Report>,
  given: ProveJobOptions<Report>,
): Promise<JobProof> {
  if (typeof run !== "function")
    throw mistake("proveJob requires a function that runs the job: async (world) => report.");
  const own = readOptions<ProveJobOptions<Report>>(given);
  const { devices = [], events = [], rules = {} } = own;
  if (devices.length + events.length + Object.keys(rules).length === 0)
    throw mistake(
      "proveJob requires devices, events or rules: what must be there when the job has returned.",
    );
  return divertPrints(() => search(run, own));
}

async function search<Report>(
  run: Job<Report>,
  { devices = [], events = [], rules = {}, ...own }: ProveJobOptions<Report>,
): Promise<JobProof> {
  const { secrets = [], seed = newSeed(), runs = DEFAULT_RUNS, replay, onProgress } = own;
  const start = own.sandbox ?? emptyConsole();
  const expected: Expected = { devices, events, holdsSecret: secretsOf(start, devices, secrets) };
  const report = createProgress("proveJob", onProgress);
  let tries = 0;
  let planned = 1;
  const tried = async (plan: JobPlan) => {
    const story: string[] = [];
    const done = await runJob(run, start, plan, (line) => story.push(line));
    tries++;
    const broken = await brokenRule(done, expected, rules);
    report({ runs: tries, planned, broken: broken?.rule });
    const { calls, printed } = done;
    return { found: broken && { ...broken, story, printed, plan, isRepeated: true }, calls };
  };
  /** Tries a plan, and returns the calls of the job. Throws for a broken rule. */
  const hold = async (plan: JobPlan) => {
    const { found, calls } = await tried(plan);
    if (found === undefined) return calls;
    const named = { seed: replay === undefined ? seed : undefined, call: toCall };
    const again = replay === undefined ? (await tried(plan)).found : found;
    throw new ProofError({ ...(again ?? { ...found, isRepeated: false }), ...named });
  };

  const calls = await hold(replay ?? { faults: [] });
  if (replay === undefined) {
    const singles = singlePlans(calls);
    planned += singles.length + runs;
    for (const plan of singles) await hold(plan);
    // No fault alone breaks a rule, so a pair that does is the shortest plan.
    for (const plan of fc.sample(pairs(fc, calls.length), { seed, numRuns: runs }))
      await hold(plan);
  }
  return { seed, runs: tries, calls: calls.length };
}

/** Writes the call that repeats a plan. */
function toCall(plan: string): string {
  return `proveJob(run, { devices, replay: ${plan} })`;
}

/** No rule of the service hides that a device was created twice. */
function emptyConsole(): Sandbox {
  return createSandbox({ seed: 1, console: { data: "empty", duplicates: "allowed" } });
}

async function brokenRule<Report>(
  run: JobRun<Report>,
  expected: Expected,
  rules: Readonly<Record<string, JobRule<Report>>>,
): Promise<{ rule: string; problem: string } | undefined> {
  for (const [rule, check] of Object.entries(builtInJobRules)) {
    const problem = check(run, expected);
    if (problem !== undefined) return { rule, problem };
  }
  return run.end && firstBroken(rules, run.end);
}
