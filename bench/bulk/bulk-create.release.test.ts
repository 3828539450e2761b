import { describe, expect, test } from "vitest";
import { runFleet } from "./run-fleet.ts";

const SMALL = { count: 6_000, chunkSize: 100 };
const SECONDS = 1_000;
const SEEDS = [1, 2, 3];

describe.each(["rejected", "allowed"] as const)("where duplicates are %s", (duplicates) => {
  test.for(SEEDS)(
    "loses nothing, creates nothing twice and reports no wrong failure, seed %i",
    async (seed) => {
      const outcome = await runFleet({ ...SMALL, seed, duplicates });
      expect(outcome).toMatchObject({
        unaccounted: 0,
        lost: 0,
        createdTwice: 0,
        failedButThere: 0,
      });
      expect(outcome.report).toMatchObject({ created: SMALL.count, failed: 0, unknown: 0 });
      expect(outcome.ratio).toBeLessThanOrEqual(1.3);
    },
  );

  test(
    "creates nothing twice when requests time out, and says what cannot be known",
    async () => {
      const outcome = await runFleet({ ...SMALL, seed: 3, duplicates, withTimeouts: true });
      expect(outcome).toMatchObject({
        unaccounted: 0,
        lost: 0,
        createdTwice: 0,
        failedButThere: 0,
      });
      expect(outcome.report.created + outcome.report.unknown).toBe(SMALL.count);
      expect(outcome.report.unknown).toBeGreaterThan(0);
    },
    30 * SECONDS,
  );
});
