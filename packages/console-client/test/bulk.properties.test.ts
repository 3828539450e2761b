import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  BulkChangeError,
  BulkError,
  type BulkCheckpoint,
  type ChangeManyOptions,
  type ChangeManyReport,
  type ChangeManyRun,
  type CreateManyOptions,
  type CreateManyReport,
  type CreateManyRun,
} from "../src/index.ts";
import { afterItsTime } from "../../../tools/testing/after-its-time.ts";
import { deviceOf, idOf, startModel, type Fate, type Model, type Plan } from "./model-console.ts";

const QUICK = { chunkSize: 4, settleTime: 1 } as const;
// The slow tests run more of them.
const RUNS = { numRuns: Number(process.env["RUNS"] ?? 20) };

const TIME = 600_000;

const unhandled: unknown[] = [];
const keep = (error: unknown): void => void unhandled.push(error);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", keep);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("unhandledRejection", keep);
  if (unhandled.length > 0) throw new AggregateError(unhandled, "a rejection was not handled");
});

// The parts of a plan.
const passing: readonly Fate[] = [
  "ok",
  "ok",
  "reset",
  "lost",
  "truncated",
  "503 before",
  "502 after",
  "429",
];
const fatesOf = (...kinds: readonly Fate[]) =>
  fc.array(fc.constantFrom(...kinds), { maxLength: 10 });
const behind = fc.record({ behind: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 8 }) });
const catchesUp = fc.record({
  catchesUp: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }),
});
const duplicates = fc.constantFrom("allowed", "rejected");
const planOf = (
  fates: fc.Arbitrary<readonly Fate[]>,
  lag: fc.Arbitrary<Plan["lag"]>,
): fc.Arbitrary<Plan> => fc.record({ duplicates, fates, lag });
const anyPlan = planOf(
  fc.oneof(
    { arbitrary: fatesOf(...passing), weight: 6 },
    fatesOf(...passing, "401"),
    fatesOf(...passing, "late"),
  ),
  fc.oneof(behind, catchesUp),
);
/** Small numbers repeat, so that there are duplicates. Some inputs are invalid, and the console rejects others. */
const inputs = fc.array(
  fc.oneof({ arbitrary: fc.nat({ max: 40 }), weight: 8 }, fc.constantFrom(-1, 900, 901)),
  { minLength: 1, maxLength: 22 },
);
const concurrency = fc.integer({ min: 1, max: 4 });

/** The first input of each valid device: only these can be created. */
function creatable(numbers: readonly number[]): Set<number> {
  const first = new Map<number, number>();
  for (const [index, number] of numbers.entries())
    if (number >= 0 && number < 900 && !first.has(number)) first.set(number, index);
  return new Set(first.values());
}

function countByEui({ devices }: Model): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { dev_eui } of devices.values()) counts.set(dev_eui, (counts.get(dev_eui) ?? 0) + 1);
  return counts;
}

function startCreate(
  model: Model,
  numbers: readonly number[],
  options: CreateManyOptions,
): CreateManyRun {
  const { timeout } = model;
  const all = { ...QUICK, timeout, ...options, checkpoint: afterItsTime(options.checkpoint) };
  return model.connect().devices.createMany(numbers.map(deviceOf), all);
}

/** Runs to the end; a run that ends early resumes from the checkpoint of its error. */
async function createAll(
  model: Model,
  numbers: readonly number[],
  options: CreateManyOptions = {},
): Promise<CreateManyReport> {
  let { checkpoint } = options;
  for (let runs = 0; runs < 12; runs++) {
    try {
      return await startCreate(model, numbers, { ...options, checkpoint });
    } catch (error) {
      if (!(error instanceof BulkError)) throw error;
      ({ checkpoint } = error);
    }
  }
  throw new Error("the run never ends");
}

/** Checks what is true of every report, whatever the console and the network did. */
async function checkReport(
  model: Model,
  numbers: readonly number[],
  report: CreateManyReport,
): Promise<void> {
  await model.quiet();
  const { created, failed, unknown, settled, results } = report;
  expect(settled).toBe(numbers.length);
  expect(created + failed + unknown).toBe(numbers.length);
  const listed = [...results.created, ...results.failed, ...results.unknown].map(
    ({ index }) => index,
  );
  expect(new Set(listed).size).toBe(listed.length);
  expect(results.failed).toHaveLength(failed);
  expect(results.unknown).toHaveLength(unknown);
  const can = creatable(numbers);
  // Each device that can be created is created or unknown.
  expect(results.failed.filter(({ index }) => can.has(index))).toEqual([]);
  expect(results.unknown.filter(({ index }) => numbers[index]! < 0)).toEqual([]);
  for (const { id, index } of results.created)
    expect(model.devices.get(id)?.dev_eui).toBe(deviceOf(numbers[index]!).dev_eui);
  const existing = countByEui(model).size;
  expect(existing).toBeGreaterThanOrEqual(created);
  expect(existing - created).toBeLessThanOrEqual(unknown);
}

test(
  "createMany: each device is in exactly one list, created ones exist, and failed ones do not",
  async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, inputs, concurrency, async (plan, numbers, atOnce) => {
        const model = startModel(plan);
        await checkReport(model, numbers, await createAll(model, numbers, { concurrency: atOnce }));
      }),
      RUNS,
    );
  },
  TIME,
);

test(
  "createMany: with a list that is exact or catches up, every device is created and none is unknown",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        planOf(fatesOf(...passing, "401"), fc.oneof(fc.constant({ behind: [0] }), catchesUp)),
        inputs,
        concurrency,
        async (plan, numbers, atOnce) => {
          const model = startModel(plan);
          const wanted = numbers.filter((number) => number < 900);
          const report = await createAll(model, wanted, { concurrency: atOnce });
          expect(report).toMatchObject({ created: creatable(wanted).size, unknown: 0 });
          expect(countByEui(model).size).toBe(creatable(wanted).size);
        },
      ),
      RUNS,
    );
  },
  TIME,
);

test(
  "createMany: no device is created twice in a console that allows duplicates, if its list catches up",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        planOf(fatesOf(...passing, "401", "late"), catchesUp),
        inputs,
        concurrency,
        async (plan, numbers, atOnce) => {
          const model = startModel({ ...plan, duplicates: "allowed" });
          await createAll(model, numbers, { concurrency: atOnce });
          await model.quiet();
          expect([...countByEui(model).values()].filter((times) => times > 1)).toEqual([]);
          const late = new Set<string>();
          for (const event of model.seen) {
            if (event.kind === "read") continue;
            expect(late).not.toContain(event.what);
            if (event.fate === "late") late.add(event.what);
          }
        },
      ),
      RUNS,
    );
  },
  TIME,
);

test(
  "createMany: a device is sent again only after two lists that lack it and show all confirmed devices",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        planOf(fatesOf(...passing), behind),
        inputs,
        concurrency,
        async (plan, numbers, atOnce) => {
          const model = startModel(plan);
          await createAll(model, numbers, { concurrency: atOnce });
          const confirmed = new Set<string>();
          const lastFate = new Map<string, Fate>();
          const lacking = new Map<string, number>();
          for (const event of model.seen) {
            if (event.kind === "read") {
              const shown = new Set(Array.from(event.devices.values(), ({ dev_eui }) => dev_eui));
              const isFresh = [...confirmed].every((eui) => shown.has(eui));
              for (const eui of lastFate.keys())
                if (isFresh && !shown.has(eui)) lacking.set(eui, (lacking.get(eui) ?? 0) + 1);
              continue;
            }
            const { what, fate } = event;
            const before = lastFate.get(what);
            expect(before).not.toBe("ok");
            if (before !== undefined && before !== "429")
              expect(lacking.get(what)).toBeGreaterThanOrEqual(2);
            lacking.set(what, 0);
            lastFate.set(what, fate);
            const number = Number.parseInt(what.slice(1), 16);
            if (fate === "ok" && number < 900 && plan.duplicates === "allowed") confirmed.add(what);
          }
        },
      ),
      RUNS,
    );
  },
  TIME,
);

test(
  "createMany: a run that is killed at any save and resumed loses, duplicates and fails no device",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        planOf(fatesOf(...passing), catchesUp),
        inputs,
        fc.array(fc.tuple(fc.nat({ max: 8 }), fc.boolean()), { maxLength: 3 }),
        async (plan, numbers, kills) => {
          const model = startModel(plan);
          let stored: BulkCheckpoint | undefined;
          for (const [atSave, isStored] of kills) {
            let saves = 0;
            const killed = startCreate(model, numbers, {
              checkpoint: stored,
              onCheckpoint: (next) => {
                const isKilled = saves++ === atSave;
                if (!isKilled || isStored)
                  stored = JSON.parse(JSON.stringify(next)) as BulkCheckpoint;
                if (isKilled) throw new Error("killed");
              },
            });
            await killed.report().catch(() => undefined);
          }
          const report = await createAll(model, numbers, { checkpoint: stored });
          await checkReport(model, numbers, report);
          expect([...countByEui(model).values()].filter((times) => times > 1)).toEqual([]);
        },
      ),
      RUNS,
    );
  },
  TIME,
);

// The methods that change devices.
const VERBS = ["deleteMany", "setActiveMany", "addLabelMany", "removeLabelMany"] as const;
type Verb = (typeof VERBS)[number];
const FLEET = 24;
/** The ids of devices: some appear twice, one does not exist, and one is not a valid id. */
const targets = fc.array(
  fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: FLEET }), weight: 10 },
    fc.constantFrom(-1, 4_000),
  ),
  { minLength: 1, maxLength: 14 },
);

function startFleet(plan: Plan, verb: Verb): Model {
  const model = startModel(plan, FLEET);
  if (verb === "removeLabelMany")
    for (const device of model.devices.values()) device.label_ids = [model.label];
  model.restart();
  return model;
}

function change(
  model: Model,
  verb: Verb,
  numbers: readonly number[],
  options: ChangeManyOptions,
): ChangeManyRun {
  const { devices } = model.connect();
  const { timeout } = model;
  const all = { ...QUICK, timeout, ...options, checkpoint: afterItsTime(options.checkpoint) };
  const of = <T>(rest: T) =>
    numbers.map((number) => ({ device_id: number < 0 ? "none" : idOf(number), ...rest }));
  switch (verb) {
    case "deleteMany":
      return devices.deleteMany(
        of({}).map(({ device_id }) => ({ id: device_id })),
        all,
      );
    case "setActiveMany":
      return devices.setActiveMany(of({ active: false }), all);
    case "addLabelMany":
      return devices.addLabelMany(of({ label: model.label }), all);
    case "removeLabelMany":
      return devices.removeLabelMany(of({ label_id: model.label }), all);
  }
}

function isChanged({ devices, label }: Model, verb: Verb, number: number): boolean {
  const device = devices.get(idOf(number));
  if (verb === "deleteMany") return device === undefined;
  if (device === undefined) return false;
  if (verb === "setActiveMany") return !device.active;
  return device.label_ids.includes(label) === (verb === "addLabelMany");
}

async function changeAll(
  model: Model,
  verb: Verb,
  numbers: readonly number[],
  options: ChangeManyOptions = {},
): Promise<ChangeManyReport> {
  let { checkpoint } = options;
  for (let runs = 0; runs < 12; runs++) {
    try {
      return await change(model, verb, numbers, { ...options, checkpoint });
    } catch (error) {
      if (!(error instanceof BulkChangeError)) throw error;
      ({ checkpoint } = error);
    }
  }
  throw new Error("the run never ends");
}

async function checkChanges(
  model: Model,
  verb: Verb,
  numbers: readonly number[],
  report: ChangeManyReport,
): Promise<void> {
  await model.quiet();
  const { done, failed, unknown, settled, results } = report;
  expect([settled, done + failed + unknown]).toEqual([numbers.length, numbers.length]);
  const listed = [...results.done, ...results.failed, ...results.unknown].map(({ index }) => index);
  expect(new Set(listed).size).toBe(listed.length);
  for (const { index } of results.done) expect(isChanged(model, verb, numbers[index]!)).toBe(true);
  for (const { index, reason } of results.failed) {
    const exists = numbers[index]! >= 1 && numbers[index]! <= FLEET;
    expect(reason).toBe(exists ? "duplicate" : reason);
  }
  const unsettled = new Set(results.unknown.map(({ index }) => numbers[index]));
  for (const number of new Set(numbers))
    if (number >= 1 && number <= FLEET && !unsettled.has(number))
      expect(isChanged(model, verb, number)).toBe(true);
  for (let number = 1; number <= FLEET; number++)
    if (!numbers.includes(number)) expect(isChanged(model, verb, number)).toBe(false);
}

test(
  "the other methods: each device is in one list, those in done are changed, and no existing one failed",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...VERBS),
        anyPlan,
        targets,
        concurrency,
        async (verb, plan, numbers, atOnce) => {
          const model = startFleet(plan, verb);
          await checkChanges(
            model,
            verb,
            numbers,
            await changeAll(model, verb, numbers, { concurrency: atOnce }),
          );
        },
      ),
      RUNS,
    );
  },
  TIME,
);

test(
  "the other methods: a run that is killed at any save and resumed loses no device and repeats no label",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...VERBS),
        planOf(fatesOf(...passing), catchesUp),
        targets,
        fc.nat({ max: 6 }),
        async (verb, plan, numbers, atSave) => {
          const model = startFleet(plan, verb);
          let stored: BulkCheckpoint | undefined;
          let saves = 0;
          const killed = change(model, verb, numbers, {
            concurrency: 1,
            onCheckpoint: (next) => {
              stored = next;
              if (saves++ === atSave) throw new Error("killed");
            },
          });
          await killed.report().catch(() => undefined);
          const report = await changeAll(model, verb, numbers, {
            concurrency: 1,
            checkpoint: stored,
          });
          await checkChanges(model, verb, numbers, report);
          for (const { label_ids } of model.devices.values())
            expect(label_ids.length).toBeLessThanOrEqual(1);
        },
      ),
      RUNS,
    );
  },
  TIME,
);
