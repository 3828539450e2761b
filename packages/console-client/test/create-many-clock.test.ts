import { monotonicClock } from "@fieldmesh/core/internal";
import { afterEach, expect, test, vi } from "vitest";
import { fleet, held, start } from "../../../tools/testing/bulk-runs.ts";

afterEach(() => void vi.restoreAllMocks());

const HOUR = 3_600_000;

test.each([-HOUR, HOUR, -87_600 * HOUR, 87_600 * HOUR])(
  "a clock that is set by %d ms during a run makes no wait longer or shorter",
  async (jump) => {
    const { create, sandbox } = start([
      { on: "devices.createBatch", kind: "lost" },
      { on: "devices.createBatch", kind: "delay", ms: 200 },
    ]);
    const { now } = Date;
    const began = monotonicClock.now();
    const run = create(fleet(10), { chunkSize: 5, concurrency: 2, settleTime: 600 }).report();
    // The first request has broken, and the run waits for the second one.
    setTimeout(() => vi.spyOn(Date, "now").mockImplementation(() => now() + jump), 100);
    expect(await run).toMatchObject({ created: 10 });
    const took = monotonicClock.now() - began;
    expect(took).toBeGreaterThan(590);
    expect(took).toBeLessThan(10_000);
    expect(held(sandbox)).toHaveLength(10);
  },
);
