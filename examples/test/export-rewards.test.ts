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
// Counted from its first write, as how long a program takes to start is the machine's affair; all kills together
// come before a whole export could end: 260 pages with 5 ms each.
const LAST_KILL = 150;
const A_MOMENT = 5;

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
        if ((await runAndKill(args, env, file)) === null) kills++;
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

/** Runs the export and kills it, as hard as can be, some time after it wrote; gives its exit code, or `null` where it was killed. */
async function runAndKill(
  args: readonly string[],
  env: Record<string, string>,
  file: string,
): Promise<number | null> {
  const before = stateOf(file);
  const program = join(import.meta.dirname, "../export-rewards.ts");
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NODE_OPTIONS: "", ...env },
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  while (child.exitCode === null && stateOf(file) === before) await sleep(A_MOMENT);
  await sleep(Math.random() * LAST_KILL);
  child.kill("SIGKILL");
  return await ended;
}

function stateOf(file: string): string | undefined {
  return existsSync(`${file}.state.json`) ? readFileSync(`${file}.state.json`, "utf8") : undefined;
}
