// npm test: the checks, then the tests of each folder, one after the other. turbo skips what has not changed since it passed. The last lines
// sum up everything, skipped groups included. Arguments are for turbo: npm test -- --force skips nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findCanary } from "./canaries/canaries.ts";
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
const TESTS = ["tests", "tests:docs", "tests:tools"];
const REPORTS = join(root, "node_modules", ".cache", "tests");
const OF_FOLDERS = "{packages/*,*}/node_modules/.cache/tests/fast.json";

// What a folder reported before it was removed, or before its tests crash.
for (const file of globSync([OF_FOLDERS, "node_modules/.cache/tests/fast-*.json"], { cwd: root }))
  rmSync(join(root, file));
const failedTasks = [
  ...(await runTasks(CHECKS)),
  // One at a time, because some tests measure time.
  ...(await runTasks([...TESTS, "--concurrency=1"])),
];
// Each folder has its report beside its cache. The summary of CI reads all of them in one place.
mkdirSync(REPORTS, { recursive: true });
for (const file of globSync(OF_FOLDERS, { cwd: root }))
  copyFileSync(
    join(root, file),
    join(REPORTS, `fast-${basename(file.split("/node_modules/", 1)[0] ?? "")}.json`),
  );
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
  const leaks = output.split("\n").filter((line) => findCanary(line) !== undefined).length;
  const leaked = `${args.join(" ")}: ${leaks} printed lines contain a secret of a test. Find the test that prints it, and hide it.`;
  return [...(await failedIn(output, closed, args)), ...(leaks > 0 ? [leaked] : [])];
}

async function failedIn(
  output: string,
  closed: Promise<unknown[]>,
  args: readonly string[],
): Promise<string[]> {
  const [, failed] = /^ *Failed: +(.*)$/m.exec(stripVTControlCharacters(output)) ?? [];
  if (failed !== undefined) return failed.trim().split(", ");
  // It may end before it starts a task, such as for a mistake in turbo.json.
  const [code] = (await closed) as [number | null];
  return code === 0 ? [] : [`turbo run ${args.join(" ")}`];
}
