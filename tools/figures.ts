// npm run release -- figures: how large this repository is. With --cpu also the CPU time of `npm test` from nothing over that of `tsc --noEmit`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "./exec.ts";
import { root } from "./packages.ts";

const TEST = /\.test(-d)?\.tsx?$/;
/** What only tests use. */
const OF_TESTS = /^packages\/.*\/(test|testing|fixtures)\//;
const TSC = "node node_modules/typescript-7/bin/tsc --noEmit --incremental false";

const tracked = (await exec("git", ["ls-files", "-z"], { cwd: root })).split("\0");
const files = tracked.filter((file) => file !== "" && file !== "pnpm-lock.yaml");
const isPackage = (file: string) => /^packages\/.*\.tsx?$/.test(file);
const rows: [figure: string, value: string | number][] = [
  ["tracked lines without the lock file", linesOf(files)],
  ["tracked files", files.length + 1],
  [
    "TypeScript without tests in packages",
    linesOf(files.filter((file) => isPackage(file) && !TEST.test(file) && !OF_TESTS.test(file))),
  ],
  ["tests", linesOf(files.filter((file) => TEST.test(file)))],
];
if (process.argv.includes("--cpu")) {
  const [test, types] = [cpuOf("npm test -- --force"), cpuOf(TSC)];
  rows.push([`CPU of npm test over tsc (${test} s, ${types} s)`, (test / types).toFixed(1)]);
}
for (const [figure, value] of rows) console.log(`${figure.padEnd(40)} ${value}`);

function linesOf(list: readonly string[]): number {
  return list.reduce(
    (sum, file) => sum + readFileSync(join(root, file)).toString("latin1").split("\n").length - 1,
    0,
  );
}

/** Returns the CPU seconds of a command and of all that it starts. */
function cpuOf(command: string): number {
  const timed = `TIMEFORMAT='%U %S'; time ${command} >&2`;
  const { stderr } = spawnSync("bash", ["-c", timed], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  const [user = 0, system = 0] = stderr.trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
  return Math.round(user + system);
}
