// The same properties with many random plans.
import { vi } from "vitest";

vi.stubEnv("RUNS", process.env["RUNS"] ?? "200");
vi.stubEnv("SUM_RUNS", process.env["SUM_RUNS"] ?? "5000");
await import("./bulk.properties.test.ts");
await import("./bulk.sums.test.ts");
