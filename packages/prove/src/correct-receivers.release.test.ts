// The same receivers with more random plans.
import { vi } from "vitest";

vi.stubEnv("LONG_TESTS", "yes");
await import("./correct-receivers.slow.test.ts");
