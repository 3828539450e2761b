// The acceptance of the mirror, at any size.
import { expect } from "vitest";
import { type MirrorRun, runMirror } from "./run-mirror.ts";

export async function expectMirror(run: MirrorRun): Promise<void> {
  const outcome = await runMirror(run);
  console.log(JSON.stringify(outcome));
  expect(outcome).toMatchObject({
    events: run.objects * run.eventsOfEach,
    wrong: 0,
    missing: 0,
    markedWithoutDoubt: 0,
    accused: 0,
    planted: run.planted,
    found: run.planted,
    foundElsewhere: 0,
    written: run.planted,
    wrongAfterRepair: 0,
  });
  expect(outcome.kills).toBeGreaterThanOrEqual(run.kills - 1);
  // The feed has what the rule of others leaves wrong.
  expect(outcome.wrongByCommonRule).toBeGreaterThan(0);
  expect(outcome.wrongBeforeCatchUp).toBeGreaterThan(0);
}
