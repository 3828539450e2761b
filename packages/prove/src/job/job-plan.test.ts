import fc from "fast-check";
import { expect, test } from "vitest";
import { pairs, singlePlans } from "./job-plan.ts";

const KILLS = ["killed before", "killed after"];
const FAULTS = ["response lost", "reset", "cut off", "500", "500 after the work", "429"];
const DURING = ["killed during", "stopped during"];
const KINDS = [...KILLS, ...FAULTS, ...DURING];

test("single plans strike a write with each fault, a read with those before or after it, a save with kills", () => {
  const plan = (at: number) => (kind: string) => ({ faults: [{ at, kind }] });
  expect(singlePlans(["write", "read", "save"])).toEqual([
    ...KINDS.map(plan(0)),
    ...[...KILLS, ...FAULTS].map(plan(1)),
    ...KILLS.map(plan(2)),
  ]);
  expect(singlePlans([])).toEqual([]);
});

test("pairs have two faults of any kind, up to the end of a second run", () => {
  const all = fc.sample(pairs(fc, 2), { seed: 1, numRuns: 2_000 });
  const faults = all.flatMap((plan) => plan.faults);
  expect(new Set(all.map((plan) => plan.faults.length))).toEqual(new Set([2]));
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  expect(new Set(faults.map(({ at }) => at))).toEqual(new Set([0, 1, 2, 3, 4]));
});
