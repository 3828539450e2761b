import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MINUTES = 60_000;

test(
  "1,000,000 rows come exactly once, and the memory stays flat",
  async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../ledger-walk.ts")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.on("close", resolve));
    console.log(output);
    expect(output).toContain("\nas promised");
    expect(code).toBe(0);
  },
  20 * MINUTES,
);
