// The same properties with many random plans.
import { vi } from "vitest";

vi.stubEnv("RUNS", process.env["RUNS"] ?? "200");
await import("./bulk.properties.test.ts");
