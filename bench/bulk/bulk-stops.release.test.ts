import { expect, test } from "vitest";
import { runStops } from "./run-stops.ts";

// The benchmark runs 20 imports of 20,000 devices at full pace.
test("imports that are stopped three times each and resumed at once double and lose nothing", async () => {
  const outcomes = await runStops({ fleets: 3, devices: 3_000, pace: 0.05 });
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ doubled: 0, lost: 0, wrongSums: 0 });
}, 300_000);
