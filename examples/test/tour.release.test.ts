// The same tour on a wide terminal, too.
import { vi } from "vitest";

vi.stubEnv("LONG_TESTS", "yes");
await import("./tour.slow.test.ts");
