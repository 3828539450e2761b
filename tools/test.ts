// npm test: the checks, then the groups of tests, one after the other. turbo skips what has not changed since it passed. The last lines
// sum up everything, skipped groups included. Arguments are for turbo: npm test -- --force skips nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./packages.ts";
import { sumUp, type JsonReport } from "./test-summary.ts";

const CHECKS = [
  "check:lint",
  "check:types",
  "check:imports",
  "check:format",
  "check:prose",
  "check:unused",
];
const GROUPS = ["tests:tools", "tests:docs", "tests:cli", "tests:webhook-types", "tests:packages"];
const REPORTS = join(root, "node_modules", ".cache", "tests");

const failedTasks = [
  ...(await runTasks(CHECKS)),
  // One at a time, because some tests measure time.
  ...(await runTasks([...GROUPS, "--concurrency=1"])),
];
mkdirSync(REPORTS, { recursive: true });
const reports = readdirSync(REPORTS)
  .filter((name) => name.startsWith("fast-"))
  .map((name) => JSON.parse(readFileSync(join(REPORTS, name), "utf8")) as JsonReport);
console.log(sumUp(reports, failedTasks, (file) => relative(root, file)));
process.exitCode = failedTasks.length > 0 ? 1 : 0;

/** Runs tasks of turbo, all of them even if one fails, and returns the names of those that failed. */
async function runTasks(args: readonly string[]): Promise<string[]> {
  const { isTTY } = process.stdout;
  const child = spawn("turbo", ["run", ...args, "--continue", ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, ...(isTTY && { FORCE_COLOR: "1" }) },
    shell: process.platform === "win32",
    stdio: ["inherit", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8") as AsyncIterable<string>) {
    process.stdout.write(chunk);
    output += chunk;
  }
  const [, failed] = /^ *Failed: +(.*)$/m.exec(stripVTControlCharacters(output)) ?? [];
  if (failed !== undefined) return failed.trim().split(", ");
  // It may end before it starts a task, such as for a mistake in turbo.json.
  const [code] = (await closed) as [number | null];
  return code === 0 ? [] : [`turbo run ${args.join(" ")}`];
}
