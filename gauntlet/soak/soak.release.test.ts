import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MINUTES = 60_000;
// A failure shows the seed, for main.ts --seed. For a first look: SOAK_MINUTES=2 npm run test:release -- soak
const { SOAK_MINUTES: minutes = "30" } = process.env;

test(
  "half an hour of faults of stores, vaults, service and clock loses, doubles and leaves nothing",
  { timeout: (Number(minutes) + 15) * MINUTES },
  () => {
    const program = join(import.meta.dirname, "main.ts");
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--expose-gc", program, "--minutes", minutes],
      { encoding: "utf8", maxBuffer: Infinity },
    );
    const [seed, ...lines] = stdout.split("\n");
    expect([seed, ...lines.filter((line) => line.startsWith("✗"))]).toEqual([
      expect.stringMatching(/^seed \d+$/),
    ]);
    expect(status).toBe(0);
  },
);
