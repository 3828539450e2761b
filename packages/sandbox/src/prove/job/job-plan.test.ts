import fc from "fast-check";
import { expect, test } from "vitest";
import { pairs, singlePlans } from "./job-plan.ts";

const KILLS = ["killed before", "killed after"];
const KINDS = [...KILLS, "response lost", "reset", "cut off", "500", "500 after the work", "429"];

test("single plans strike a request with each fault, and a save with each kill", () => {
  const plan = (at: number) => (kind: string) => ({ faults: [{ at, kind }] });
  expect(singlePlans(["request", "save"])).toEqual([...KINDS.map(plan(0)), ...KILLS.map(plan(1))]);
  expect(singlePlans([])).toEqual([]);
});

test("pairs have two faults of any kind, up to the end of a second run", () => {
  const all = fc.sample(pairs(fc, 2), { seed: 1, numRuns: 2_000 });
  const faults = all.flatMap((plan) => plan.faults);
  expect(new Set(all.map((plan) => plan.faults.length))).toEqual(new Set([2]));
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  expect(new Set(faults.map(({ at }) => at))).toEqual(new Set([0, 1, 2, 3, 4]));
});
