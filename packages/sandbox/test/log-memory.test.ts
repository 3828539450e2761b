import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("log-memory-program.ts", import.meta.url));

test("rejected bodies leave nothing in memory, and accepted ones not much more than logBytes", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program]);
  const left = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [name: string, megabytes: number, count: number]);
  expect(left.map(([name, , count]) => [name, count])).toEqual([
    ["key", 12],
    ["host", 0],
    ["none", 12],
  ]);
  const [key, host, none] = left.map(([, megabytes]) => megabytes);
  expect(key).toBeLessThan(4);
  expect(host).toBeLessThan(4);
  expect(none).toBeLessThan(10);
});
