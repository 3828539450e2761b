// The same kills on both queues.
import { vi } from "vitest";

vi.stubEnv("LONG_TESTS", "yes");
await import("./deliveries.slow.test.ts");
