// Every program on both queues.
import { vi } from "vitest";

vi.stubEnv("LONG_TESTS", "yes");
await import("./workers.slow.test.ts");
