import { expect, test } from "vitest";
import { playNights } from "./nights.ts";

// The soak plays random seeds.
test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "nights of catch-up lose, double and forget no event: seed %i",
  async (seed) => {
    expect(await playNights(seed)).toEqual([]);
  },
);
