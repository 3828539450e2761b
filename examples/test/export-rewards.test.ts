import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startSandbox, systemClock } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import { runExample } from "./run.ts";

const SECONDS = 1_000;
const DAYS = 60;
const REWARDS = DAYS * 144 * 3;
const KILLS = 6;
// Late enough to have written something, early enough not to have ended.
const FIRST_KILL = 250;
const LAST_KILL = 900;

test(
  "killed at any moment and started again, the file has every reward exactly once",
  async () => {
    await using sandbox = await startSandbox({ clock: systemClock, latency: 5 });
    const folder = mkdtempSync(join(tmpdir(), "rewards-"));
    const file = join(folder, "rewards.ndjson");
    const address = sandbox.ledger.state.chain.addresses.of(1);
    const args = [address, file, String(DAYS)];
    const env = { LEDGER_URL: sandbox.ledger.baseUrl };
    try {
      let kills = 0;
      for (let attempt = 0; attempt < KILLS; attempt++) {
        const after = FIRST_KILL + Math.random() * (LAST_KILL - FIRST_KILL);
        if ((await runAndKill(args, env, after)) === null) kills++;
        // As a kill between two writes leaves it.
        sandbox.ledger.state.expireCursors();
      }
      const last = await runExample("export-rewards.ts", args, env);
      expect(last.code).toBe(0);
      expect(kills).toBeGreaterThan(0);
      expect(last.output).toContain("Going on where the last run stopped.");
      const lines = readFileSync(file, "utf8").trimEnd().split("\n");
      expect(lines.length).toBeGreaterThanOrEqual(REWARDS - 3);
      expect(lines.length).toBeLessThanOrEqual(REWARDS + 3);
      expect(new Set(lines).size).toBe(lines.length);
      const blocks = lines.map((line) => (JSON.parse(line) as { block: number }).block);
      expect(blocks).toEqual(blocks.toSorted((a, b) => b - a));
      expect(existsSync(`${file}.state.json`)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60 * SECONDS,
);

test("says how it is used", async () => {
  const { code, output } = await runExample("export-rewards.ts");
  expect(code).toBe(2);
  expect(output).toContain("usage: LEDGER_URL=");
});

/** Runs the export and kills it, as hard as can be; gives its exit code, or `null` where it was killed. */
async function runAndKill(
  args: readonly string[],
  env: Record<string, string>,
  after: number,
): Promise<number | null> {
  const program = join(import.meta.dirname, "../export-rewards.ts");
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NODE_OPTIONS: "", ...env },
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  void sleep(after, undefined, { ref: false }).then(() => child.kill("SIGKILL"));
  return await ended;
}
