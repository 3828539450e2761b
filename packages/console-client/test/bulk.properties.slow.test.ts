// The same properties with more random plans.
import { vi } from "vitest";

vi.stubEnv("RUNS", process.env["RUNS"] ?? "50");
await import("./bulk.properties.test.ts");
