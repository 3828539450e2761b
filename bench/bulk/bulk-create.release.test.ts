// The same runs with more seeds.
import { vi } from "vitest";

vi.stubEnv("LONG_TESTS", "yes");
await import("./bulk-create.slow.test.ts");
