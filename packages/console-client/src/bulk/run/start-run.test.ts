import { oneOf } from "@fieldmesh/core/internal";
import { InputError } from "@fieldmesh/http";
import { expect, test } from "vitest";
import { readBulkOptions, toBulkSettings, type BulkDefaults } from "./bulk-settings.ts";
import { shareRun } from "./shared-run.ts";
import type { AnyResult } from "./run-parts.ts";
import { startRun, type CheckedStart } from "./start-run.ts";

const defaults: BulkDefaults = {
  timeout: 30_000,
  leastChunk: 10,
  mostChunk: 100,
  table: { ifExists: oneOf("skip") },
};
const clock = { now: () => 0, sleep: () => Promise.resolve() };
const nothing = () => undefined;
const store = { claim: nothing, extend: nothing, release: nothing, forget: nothing };
const read = (given: object, total?: number) => {
  const options = readBulkOptions("createMany", given, defaults);
  const known = { checkpoint: undefined, total, clock, isList: total !== undefined };
  return toBulkSettings("createMany", options, defaults, known);
};

/** Starts a run that ends at once, and returns what was loaded for it. */
function start(inputs: unknown, given: unknown = {}) {
  const starts: CheckedStart[] = [];
  const all = { method: "devices.deleteMany", inputs, given, defaults, readTarget: undefined };
  const run = startRun(all as never, async (checked) => {
    starts.push(checked);
    const results: AnyResult[] = [];
    return shareRun({
      start: async function* () {
        results.push({ index: 0, status: "done" });
        yield;
      },
      signal: undefined,
      results,
      report: () => results.length,
      describe: async (error) => error,
      describeBreak: async () => new Error("left"),
    });
  });
  return { run, starts };
}

test("the defaults of a run", () => {
  expect(read({})).toEqual({
    chunkSize: 100,
    concurrency: 4,
    settleTime: 5_000,
    timeout: 30_000,
    priority: "background",
    signal: undefined,
    lease: undefined,
    clock,
  });
});

test.each([
  [0, 10],
  [500, 10],
  [501, 11],
  [4_950, 99],
  [5_001, 100],
  [undefined, 100],
])("an input of %s devices has chunks of %i", (total, chunkSize) => {
  expect(read({}, total).chunkSize).toBe(chunkSize);
});

test.each([
  ["chunkSize", 1, 1_000],
  ["concurrency", 1, 16],
  ["settleTime", 0, 2 ** 31 - 1],
  ["timeout", 1, 2 ** 31 - 1],
] as const)("%s is an integer from %i to %i", (name, least, most) => {
  for (const value of [least, most]) expect(read({ [name]: value })[name]).toBe(value);
  for (const value of [least - 1, most + 1, 1.5])
    expect(() => read({ [name]: value })).toThrow(
      new TypeError(`${name} must be an integer from ${least} to ${most}; it is ${value}.`),
    );
});

test("an option that does not exist names the method, and those of the method are accepted", () => {
  expect(() => read({ chunksize: 1 })).toThrow(
    new TypeError('createMany has no option "chunksize". Did you mean "chunkSize"?'),
  );
  expect(() => read({ ifExists: "skip" })).not.toThrow();
  expect(() => read({ signal: {} })).toThrow(
    new TypeError("signal must be an AbortSignal; it is an object."),
  );
});

test.each([
  [
    "no id for a stream",
    { id: undefined },
    "options.lease.id",
    "must be set for an input that is read once",
  ],
  ["an empty id", { id: "" }, "options.lease.id", "must be a string that is not empty"],
  ["a number as its id", { id: 7 }, "options.lease.id", "must be a string that is not empty"],
  ...["claim", "extend", "release", "forget"].map(
    (name) =>
      [
        `a store without ${name}`,
        { store: { ...store, [name]: undefined } },
        "options.lease.store",
        "must have the methods claim, extend, release and forget, as redisStore has",
      ] as const,
  ),
  ...[4_999, 2 ** 31, 5_000.5].map(
    (duration) =>
      [
        `a duration of ${duration}`,
        { duration },
        "options.lease.duration",
        "must be a whole number of milliseconds, at least 5000",
      ] as const,
  ),
] as const)("a lease with %s is rejected", (_what, changed, path, message) => {
  const lease = { id: "job-1", store, duration: 7_000, ...changed };
  const reading = () => read({ settleTime: 6_000, lease });
  expect(reading).toThrow(InputError);
  expect(reading).toThrow(`devices.createMany (POST /api/v1/devices)`);
  expect(reading).toThrow(`${path}: ${message}`);
});

test("a lease lasts a minute unless it says how long, at least five seconds", () => {
  const lease = { id: "job-1", store };
  const durationOf = (changed: object) =>
    read({ settleTime: 4_999, lease: { ...lease, ...changed } }).lease?.duration;
  expect([durationOf({}), durationOf({ duration: 5_000 })]).toEqual([60_000, 5_000]);
  expect(durationOf({ duration: 2 ** 31 - 1 })).toBe(2 ** 31 - 1);
  expect(() => read({ lease: "job-1" })).toThrow(
    new TypeError("lease requires an object of options, such as { store }, not a string."),
  );
  expect(() => read({ lease: { ...lease, ttl: 1 } })).toThrow('lease has no option "ttl".');
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a string", "devices.csv"],
  ["an object", {}],
  ["a function", () => []],
])("a run over %s asks for an iterable, in the name of its method", (_what, inputs) => {
  expect(() => start(inputs)).toThrow(
    new TypeError("deleteMany requires an array of devices, or another (async) iterable of them."),
  );
});

test("the arguments of a run are checked when it is called, in the name of its method", () => {
  expect(() => start([], "fast")).toThrow(
    new TypeError("deleteMany requires an object of options, such as { signal }, not a string."),
  );
  const inputs = new Proxy([], {
    get(): never {
      throw new TypeError("a value of the caller");
    },
  });
  expect(() => start(inputs)).toThrow(
    new TypeError(
      "An argument of deleteMany cannot be read: a getter or a proxy in it throws, or it contains itself. Pass plain values.",
    ),
  );
});
