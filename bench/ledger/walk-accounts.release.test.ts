import { expect, test } from "vitest";
import { walkAccounts } from "./walk-accounts.ts";

const SECONDS = 1_000;
const SEEDS = [1, 2, 3];

test.for(SEEDS)(
  "a walk through faults and expired cursors returns every row exactly once, seed %i",
  { timeout: 30 * SECONDS },
  async (seed) => {
    const outcome = await walkAccounts({ rows: 6_000, seed, expirations: 3 });
    expect(outcome).toMatchObject({ missing: 0, duplicates: 0, unknown: 0 });
    expect(outcome.requests).toBeGreaterThan(120);
  },
);
