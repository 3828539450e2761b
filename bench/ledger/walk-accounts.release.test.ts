// The same walk with more seeds.
import { vi } from "vitest";

vi.stubEnv("LONG_TESTS", "yes");
await import("./walk-accounts.slow.test.ts");
