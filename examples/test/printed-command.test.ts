import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IMPORT_COMMAND } from "../tour/map.ts";

const root = join(import.meta.dirname, "../..");
const FIX_FILE = "examples/data/inventory.fix.csv";

async function runLine(line: string) {
  const child = spawn(line, {
    cwd: root,
    shell: true,
    // The source condition of the workspace must not lead a user's program to sources.
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stdout, stderr: stderr.trimEnd().split("\n") };
}

test("the import that the tour prints runs as printed, in this folder", async () => {
  // A user of this checkout may have corrected the rows.
  const kept = existsSync(join(root, FIX_FILE));
  const { code, stdout, stderr } = await runLine(IMPORT_COMMAND);
  expect(code).toBe(1);
  expect(stdout).toMatch(/created +468\nskipped +0\nfailed +32\nunknown +0\nunsettled +0\n$/);
  expect(stderr.filter((line) => /: lines? \d/.test(line))).toHaveLength(8);
  expect(stderr).toContain("the app_key is missing: lines 89, 108 and 3 more");
  expect(stderr).toContain("Created 6 labels.");
  expect(stderr.at(-1)).toContain("32 of 500 rows were not imported.");
  expect(existsSync(join(root, FIX_FILE))).toBe(kept);
}, 60_000);
