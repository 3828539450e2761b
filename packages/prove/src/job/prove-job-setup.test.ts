import { expect, test } from "vitest";
import { createSandbox } from "@fieldmesh/sandbox/engine";
import { brokenRules } from "../testing/parts.ts";
import type { JobWorld } from "./job-world.ts";
import { proveJob, type ProveJobOptions } from "./prove-job.ts";
import type { Job } from "./run-job.ts";
import { connect, fleet } from "./testing/parts.ts";

const devices = fleet;
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
