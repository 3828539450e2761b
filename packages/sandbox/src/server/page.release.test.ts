// The page in every look, in each view.
import { vi } from "vitest";

vi.stubEnv("LONG_TESTS", "yes");
await import("./page.slow.test.ts");
