import { expect, test } from "vitest";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { canaries } from "../../../../tools/canaries/canaries.ts";
import { createSandbox } from "@fieldmesh/sandbox/engine";
import { ProofError } from "../proof-error.ts";
import { LOG } from "./job-faults.ts";
import type { JobFaultKind, JobPlan } from "./job-plan.ts";
import { proveJob, type ProveJobOptions } from "./prove-job.ts";
import type { Job } from "./run-job.ts";
import { correctJobs } from "./testing/correct-jobs.ts";
import { AT_WORK, connect, fleet } from "./testing/parts.ts";
import { plantedJobs } from "./testing/planted-jobs.ts";
import { brokenRules } from "../testing/parts.ts";
import type { JobWorld } from "./job-world.ts";

const devices = fleet;
const FAULTS = Object.keys(LOG) as JobFaultKind[];

async function errorOf<R>(job: Job<R> | undefined, options: Partial<ProveJobOptions<R>> = {}) {
  const error: unknown = await proveJob(job!, { devices, seed: 1, runs: 5, ...options }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProofError)) throw error;
  return error as ProofError<JobPlan>;
}

/** The slow tests run all of them. */
const SOME: Readonly<Record<string, string>> = {
  "saves its checkpoint before the work": "each expected record exists once",
  "does not await its checkpoint": "each expected record exists once",
  "keeps the keys of its devices in its checkpoint": "no secret is written",
  "throws an error with the device in it": "no secret is written",
  "waits for a device that was never created": "each run ends",
  "looks at once what the run before it has created": "each expected record exists once",
  "resumes at once after it was stopped": "each expected record exists once",
};
for (const [name, rule] of Object.entries(SOME))
  test(`finds a job that ${name}`, async () => {
    expect(await errorOf(plantedJobs[name])).toMatchObject({ rule });
  });

test("finds nothing wrong with a job that keeps the rules, and returns how many runs it tried", async () => {
  const job = correctJobs["a place after each device, and a look at the one that was in progress"]!;
  // A list, three devices and three saves: eight faults for a read, ten for a write, and two for a save.
  expect(await proveJob(job, { devices, seed: 1, runs: 3 })).toEqual({
    seed: 1,
    runs: 1 + 8 + 3 * 10 + 3 * 2 + 3,
    calls: 7,
  });
});

test("the message shows the fewest faults, and a test that repeats them", async () => {
  const job = plantedJobs["retries a POST that may have been carried out"]!;
  const { message, plan } = await errorOf(job);
  expect(message)
    .toBe(`“each expected record exists once” does not hold: the device 0000000000000001 exists 2 times, not once.

  run 1
    GET /console/api/v1/devices
    POST /console/api/v1/devices: is carried out, and the response is lost
    POST /console/api/v1/devices
    POST /console/api/v1/devices
    POST /console/api/v1/devices

Found with seed 1. To repeat it:

test("each expected record exists once", async () => {
  await proveJob(run, { devices, replay: { faults: [ { at: 1, kind: 'response lost' } ] } });
});`);
  const replayed = await errorOf(job, { replay: plan });
  expect(replayed.message).toBe(message.replace("Found with seed 1. To", "To"));
  const correct = correctJobs["all at once, after the list"]!;
  expect(await proveJob(correct, { devices, replay: plan })).toMatchObject({ runs: 1 });
});

test("two faults are found that break no rule alone", async () => {
  // It looks once, and then trusts the first answer.
  const job: Job<unknown> = async (world) => {
    await world.clock.sleep(AT_WORK);
    const client = connect(world);
    const tries = world.survives("tries", () => ({ lost: 0 }));
    const [device] = fleet;
    const exists = async () => (await client.devices.list()).length > 0;
    if (tries.lost < 2 && (await exists())) return;
    await client.devices.create(device!).catch((error: unknown) => {
      tries.lost++;
      throw error;
    });
  };
  const { plan } = await errorOf(job, { devices: [fleet[0]!], runs: 200 });
  expect(plan.faults).toHaveLength(2);
});

test("each fault does to a call what its line in the log says", async () => {
  const seen: unknown[] = [];
  const job: Job<void> = async (world) => {
    const runs = world.survives("runs", () => ({ count: 0 }));
    runs.count++;
    const send = async () => {
      const response = await world.fetch(`${world.baseUrl}/api/v1/devices`, {
        method: "POST",
        headers: { key: world.apiKey, "content-type": "application/json" },
        body: JSON.stringify(fleet[0]),
      });
      const retryAfter = response.headers.get("retry-after");
      return [response.status, retryAfter, (await response.text()).length > 0];
    };
    seen.push(await send().catch((error: unknown) => (error as Error).message));
    seen.push(runs.count, (await connect(world).devices.list()).length);
  };
  const outcomes: Record<string, unknown> = {};
  for (const kind of FAULTS) {
    seen.length = 0;
    const sandbox = createSandbox({ seed: 1, console: { data: "empty", duplicates: "allowed" } });
    const plan = { faults: [{ at: 0, kind }] };
    await proveJob(job, { devices: [], sandbox, replay: plan, rules: { any: () => undefined } });
    outcomes[kind] = [...seen];
  }
  expect(outcomes).toEqual({
    "response lost": ["fetch failed", 1, 1],
    reset: ["fetch failed", 1, 0],
    "cut off": ["terminated", 1, 1],
    "500": [[500, null, false], 1, 0],
    "500 after the work": [[500, null, false], 1, 1],
    "429": [[429, "1", false], 1, 0],
    "killed before": [[201, null, true], 2, 1],
    "killed after": [[201, null, true], 2, 2],
    // The first device comes after the end of the second run.
    "killed during": [[201, null, true], 2, 1],
    "stopped during": [[201, null, true], 1, 1],
  });
});

test("events must have happened once", async () => {
  const sandbox = createSandbox({ seed: 1 });
  const subscriber = { email: "a@example.com", first_name: "A", last_name: "B" };
  const job: Job<unknown> = async (world) => {
    const client = createMobileClient({ ...world.mobile, fetch: world.fetch, retry: false });
    const done = world.survives("done", () => ({ is: false }));
    if (!done.is) await client.subscribers.create(subscriber as never);
    done.is = true;
  };
  const events = [{ type: "subscriber.created", object: { livemode: false } }];
  const error = await errorOf(job, { devices: [], events, sandbox });
  expect(error.message).toContain("subscriber.created of");
  expect(error.message).toContain("has happened 2 times, not once.");
});

test("a record that the report calls created must exist", async () => {
  const job: Job<unknown> = async (world) => {
    await connect(world).devices.list();
    return { results: { created: [{ id: "none", dev_eui: undefined }] } };
  };
  const error = await errorOf(job, { devices: [], rules: { any: () => undefined } });
  expect(error.rule).toBe("a record that the report calls created exists");
  expect(error.message).toContain("the report calls none created, and it does not exist.");
});

test("a rule of the user sees the services, the report, the log and the checkpoint at the end", async () => {
  const job: Job<{ done: number }> = async (world) => {
    world.log("begins");
    await connect(world).devices.create(fleet[0]!);
    await world.checkpoint.save({ at: 7 });
    return { done: 1 };
  };
  const seen: unknown[] = [];
  const error = await errorOf(job, {
    devices: [],
    rules: {
      "one device": ({ sandbox, report, log, checkpoint, runs }) => {
        const count = sandbox.console.state.devices.size;
        seen.push([count, report.done, log.length, checkpoint, runs]);
        return count === 1 ? undefined : `there are ${count} devices.`;
      },
    },
  });
  expect(seen[0]).toEqual([1, 1, 1, { at: 7 }, 1]);
  expect(error.message).toContain("“one device” does not hold: there are 2 devices.");
});

test("secrets of the user are searched for in everything that a job writes", async () => {
  const secret = canaries.webhookSecret;
  const rules = { any: () => undefined };
  const jobs: [string, Job<unknown>][] = [
    ["a line of the log", async (world) => world.log(`with ${secret}`)],
    ["the report", async () => ({ settings: { secret } })],
    ["a checkpoint", (world) => world.checkpoint.save([secret])],
    ["an error", () => Promise.reject(new Error("failed", { cause: { secret } }))],
    ["a line of the log", async (world) => world.log(world.apiKey)],
  ];
  for (const [where, job] of jobs) {
    const error = await errorOf(job, { devices: [], rules, secrets: [secret] });
    expect(error).toMatchObject({ rule: "no secret is written" });
    expect(error.message).toContain(`${where} contains a key or another secret.`);
    expect(error.message).not.toContain(secret);
  }
});

test("a job that never returns is named, with the error of its last run", async () => {
  const job: Job<unknown> = () => Promise.reject(new RangeError("too long"));
  const { message, rule } = await errorOf(job);
  expect(rule).toBe("each run ends");
  expect(message).toContain(
    "run 10 still rejects, although nothing goes wrong any more: RangeError: too long",
  );
});

test("a job that is killed in its tenth run has not ended", async () => {
  const faults = Array.from({ length: 10 }, (_, at) => ({ at, kind: "killed before" as const }));
  const { message } = await errorOf((world) => world.checkpoint.save(1), { replay: { faults } });
  expect(message).toContain(
    "“each run ends” does not hold: run 10 was killed, and the job was not run again.",
  );
});

test("what is broken once, and not repeated, is an error with its plan", async () => {
  let tries = 0;
  const job: Job<unknown> = async (world) => {
    tries++;
    if (tries === 4) return;
    await correctJobs["all at once, after the list"]!(world);
  };
  const { isRepeated, message, plan } = await errorOf(job);
  expect(isRepeated).toBe(false);
  expect(plan.faults).toHaveLength(1);
  expect(message).toContain("Broken once, not repeated");
});

test("a process that was killed does nothing more", async () => {
  const after: string[] = [];
  const job: Job<unknown> = async (world) => {
    const run = world.survives("runs", () => ({ count: 0 }));
    run.count++;
    const isFirst = run.count === 1;
    const sleep = world.clock.sleep(1_000).then(() => isFirst && after.push("slept"));
    await world.checkpoint.save(1).then(() => isFirst && after.push("saved"));
    await sleep;
    world.log("end");
  };
  const rules = {
    "one end": ({ log, runs }: { log: readonly string[]; runs: number }) =>
      log.length === 1 && runs === 2 ? undefined : "no",
  };
  const replay: JobPlan = { faults: [{ at: 0, kind: "killed after" }] };
  expect(await proveJob(job, { rules, replay })).toMatchObject({ runs: 1 });
  expect(after).toEqual([]);
});

const NOTHING =
  "proveJob requires devices, events or rules: what must be there when the job has returned.";

test.each<[string, unknown, unknown, string]>([
  [
    "an object in place of a function",
    {},
    { devices },
    "proveJob requires a function that runs the job: async (world) => report.",
  ],
  ["no options", () => {}, undefined, NOTHING],
  ["nothing to expect", () => {}, {}, NOTHING],
  [
    "negative runs",
    () => {},
    { devices, runs: -1 },
    "runs must be an integer from 0 up; it is -1.",
  ],
  [
    "a negative seed",
    () => {},
    { devices, seed: -1 },
    "seed must be an integer from 0 up; it is -1.",
  ],
  [
    "an option with another name",
    () => {},
    { devices, maxTime: 5 },
    'proveJob has no option "maxTime". Its options are devices, events, sandbox, rules, secrets, seed, runs, replay, onProgress.',
  ],
])("%s is rejected before the first run", async (_name, job, options, message) => {
  await expect(proveJob(job as Job<unknown>, options as ProveJobOptions)).rejects.toThrow(
    new TypeError(message),
  );
});

const list = ({ baseUrl, apiKey, fetch }: JobWorld) =>
  fetch(`${baseUrl}/api/v1/devices`, { headers: { key: apiKey } });
/** Makes one call, and does not care what becomes of it. */
const careless: Job<void> = (world) =>
  list(world).then(
    () => {},
    () => {},
  );
const rules = { any: () => undefined };

test("a device may be expected together with a rule or an event", async () => {
  const [device] = fleet;
  const job: Job<unknown> = (world) => connect(world).devices.create(device!);
  const expected = { devices: [device!], replay: { faults: [] } };
  expect(await proveJob(job, { ...expected, rules })).toMatchObject({ runs: 1, calls: 1 });
  const events = [{ type: "label.created" }];
  await expect(proveJob(job, { ...expected, events })).rejects.toThrow(
    "label.created of {} has happened 0 times.",
  );
});

test("by default, two hundred pairs follow the single faults, with a new seed", async () => {
  const proofs = [await proveJob(careless, { rules }), await proveJob(careless, { rules })];
  for (const proof of proofs) expect(proof).toMatchObject({ runs: 1 + 8 + 200, calls: 1 });
  const seeds = proofs.map(({ seed }) => seed);
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true);
  expect(seeds.some((seed) => seed > 1_000)).toBe(true);
  expect(seeds[0]).not.toBe(seeds[1]);
});

test("a job works on a fork of the services, which by default are a console without devices", async () => {
  const seen: unknown[] = [];
  const job: Job<void> = async (world) => {
    const client = connect(world);
    seen.push((await client.devices.list()).length);
    // An EUI may exist twice, so that a rule finds it.
    await client.devices.create(fleet[0]!);
    await client.devices.create(fleet[0]!);
    seen.push((await client.devices.list()).length);
  };
  const replay = { faults: [] };
  await proveJob(job, { rules, replay });
  expect(seen).toEqual([0, 2]);

  const sandbox = createSandbox({ seed: 1 });
  const before = sandbox.console.state.devices.size;
  expect(before).toBeGreaterThan(0);
  const one: Job<void> = async (world) => {
    seen.push((await connect(world).devices.list()).length);
    await connect(world).devices.create(fleet[0]!);
  };
  await proveJob(one, { rules, replay, sandbox });
  expect(seen[2]).toBe(before);
  expect(sandbox.console.state.devices.size).toBe(before);
});

test.each(brokenRules)("a rule of the user that %s is broken", async (_name, rule, problem) => {
  const own = { first: () => undefined, mine: rule as () => string };
  await expect(proveJob(careless, { rules: own, replay: { faults: [] } })).rejects.toThrow(
    `“mine” does not hold: ${problem}\n`,
  );
});

test("rules of the user follow the built-in ones, and are not asked about a job without an end", async () => {
  const mine = { mine: () => "never" };
  const replay = { faults: [] };
  await expect(proveJob(careless, { rules: mine, devices, replay })).rejects.toThrow(
    "“each expected record exists once” does not hold",
  );
  const rejects: Job<unknown> = () => Promise.reject(new Error("always"));
  await expect(proveJob(rejects, { rules: mine, replay })).rejects.toThrow(
    "“each run ends” does not hold",
  );
});

test("a failure without any fault is tried again, and names the seed of the search", async () => {
  let tries = 0;
  const job: Job<void> = () => void tries++;
  const error: unknown = await proveJob(job, { devices, seed: 7 }).catch(
    (thrown: unknown) => thrown,
  );
  expect(tries).toBe(2);
  expect(error).toMatchObject({ seed: 7, isRepeated: true, plan: { faults: [] } });
});

test("a replay is tried once, without a seed in its error", async () => {
  let tries = 0;
  const job: Job<void> = () => void tries++;
  const replay = { faults: [{ at: 3, kind: "500" as const }] };
  const error: unknown = await proveJob(job, { devices, seed: 7, replay }).catch(
    (thrown: unknown) => thrown,
  );
  expect(tries).toBe(1);
  expect(error).toMatchObject({ seed: undefined, isRepeated: true, plan: replay });
});
