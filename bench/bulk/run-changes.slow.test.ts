import { afterAll, expect, test } from "vitest";
import { CHANGES, runChange, startFleet } from "./run-changes.ts";

const COUNT = 300;
const fleet = await startFleet(COUNT, 2);
afterAll(() => fleet[Symbol.asyncDispose]());

test.for(CHANGES)(
  "%s loses nothing and does nothing twice that is not repeatable",
  { timeout: 60_000 },
  async (change) => {
    expect(await runChange(fleet, change)).toMatchObject({
      done: COUNT,
      failed: 0,
      unknown: 0,
      unaccounted: 0,
      lost: 0,
      failedButDone: 0,
      doneTwice: 0,
    });
  },
);
