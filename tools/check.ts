// All that `npm test` proves, and with --slow what `npm run test:slow` adds.
import { join } from "node:path";
import { buildStale } from "./build.ts";
import { hashOf, isDone, remember } from "./cache.ts";
import { exec } from "./exec.ts";
import { packages, root } from "./packages.ts";
import { type Step, runSteps, total } from "./steps.ts";
import { checkConsumers } from "./tarballs/consumers.ts";
import { packAll, tarballOf } from "./tarballs/pack.ts";
import { runTests } from "./vitest.ts";

const slow = process.argv.includes("--slow");

const build: Step = { name: "build", run: async () => listOr(await buildStale(), "up to date") };
const pack: Step = { name: "pack", needs: "build", run: packAll };
const fast: Step[] = [
  build,
  { name: "format", run: () => quiet("oxfmt", "--check") },
  { name: "lint", run: () => quiet("oxlint", "--format=unix") },
  { name: "types", run: () => quiet("tsc", "--noEmit") },
  { name: "unused code", run: () => quiet("knip", "--no-config-hints") },
  pack,
  onTarballs("publint", () => eachTarball((file) => quiet("publint", "--strict", file))),
  // node10 knows no exports map, and no Node that we support resolves that way.
  onTarballs("attw", () => eachTarball((file) => quiet("attw", file, "--profile", "node16"))),
  onTarballs("consumers", () => checkConsumers("narrow")),
];
const wide: Step[] = [build, pack, onTarballs("wide consumers", () => checkConsumers("wide"))];

const checks = await runSteps(slow ? wide : fast);
// Last and alone, because some tests measure time.
const tests = await runSteps([{ name: "tests", run: () => runTests(slow ? "slow" : "fast") }]);
const { passed, failed } = total([checks, tests]);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** A step whose answer is known as long as neither the tarballs nor the tools have changed. */
function onTarballs(name: string, run: () => Promise<undefined>): Step {
  return {
    name,
    needs: pack.name,
    async run() {
      const hash = hashOf([
        ...packages.map(tarballOf),
        join(root, "pnpm-lock.yaml"),
        join(root, "tools"),
      ]);
      if (isDone(`step/${name}`, hash)) return "cached";
      await run();
      remember(`step/${name}`, hash);
      return undefined;
    },
  };
}

async function eachTarball(task: (file: string) => Promise<unknown>): Promise<undefined> {
  for (const each of packages) await task(tarballOf(each));
}

async function quiet(command: string, ...args: string[]): Promise<undefined> {
  await exec(command, args);
}

function listOr(names: readonly string[], otherwise: string): string {
  return names.length > 0 ? names.join(", ") : otherwise;
}
