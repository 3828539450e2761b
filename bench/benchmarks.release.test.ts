import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MINUTES = 60_000;

// Each has a smaller test of the same rules in the tier below.
test.for([
  ["1,000,000 rows are read exactly once, and the memory does not grow", "ledger-walk.ts"],
  ["100,000 devices are created once, through faults, timeouts and kills", "bulk-create.ts"],
  ["1,500 events are handled while six processes are killed thirty times", "receiver-kills.ts"],
  [
    "100,000 deliveries through BullMQ and pg-boss survive kills, stops and restarts",
    "deliveries.ts",
  ],
  ["1,000 rows show the newer of two events that arrive together", "receiver-races.ts"],
])("%s", { timeout: 40 * MINUTES }, ([, file = ""]) => {
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, file)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  console.log(stdout);
  expect(stdout).toMatch(/^## Limits|^skipped: /m);
  expect(status).toBe(0);
});
