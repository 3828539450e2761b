import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MINUTES = 60_000;

test(
  "what is used of a rate limit: alone, by eight clients and three processes, and in lanes",
  { timeout: 40 * MINUTES },
  () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, "limits.ts")],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
    );
    console.log(stdout);
    expect(stdout).toMatch(/^## Limits/m);
    expect(status).toBe(0);
  },
);
