import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("1,500 events end as promised while six processes are killed thirty times", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../receiver-kills.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  console.log(output);
  expect(output).toMatch(/\nas promised|^skipped: /);
  expect(code).toBe(0);
});
