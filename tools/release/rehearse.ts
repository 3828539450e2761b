// npm run release -- rehearse [npm pnpm yarn bun]: releases all packages to a registry on this machine, installs them like a
// user, and upgrades them to a patch and to a minor release. Nothing leaves this machine.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installManagers, userEnvironment } from "./managers.ts";
import { startRegistry } from "./registry.ts";
import { cloneWorkspace, leavePreMode, release } from "./release.ts";
import { names } from "../packages.ts";
import {
  type Manager,
  MANAGERS,
  readTutorial,
  runShell,
  runTutorial,
  type Step,
} from "./tutorial.ts";

const wanted = MANAGERS.filter((name) => process.argv.slice(2).includes(name));
const managers: readonly Manager[] = wanted.length === 0 ? MANAGERS : wanted;

/** How each manager updates the packages of a project within their ranges. */
const UPDATE: Readonly<Record<Manager, string>> = {
  npm: "npm update",
  pnpm: "pnpm update",
  yarn: `yarn up '${names.scope}/*'`,
  bun: "bun update",
};
const ENTER: Step = { kind: "run", code: "cd field", fails: false };
/** It can run again: the last step of the page removes the label that this one creates. */
const FIRST_CALL: Step = {
  kind: "run",
  code: "node --env-file=.env first-call.mjs",
  fails: false,
};
/** How the page starts the sandbox. */
const startOf = (manager: Manager): Step =>
  readTutorial(manager).find(({ kind }) => kind === "start") ?? ENTER;

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-release-"));
const registry = await startRegistry(folder, names.scope);
try {
  const bin = await installManagers(managers, join(folder, "managers"));
  const env = userEnvironment(registry.url, join(folder, "home"), bin);
  const workspace = await cloneWorkspace(join(folder, "workspace"));
  await leavePreMode(workspace);

  const first = await release(workspace, registry, []);
  say(`published ${first.length} packages: ${first.join(", ")}`);
  const projects = new Map<Manager, string>();
  for (const manager of managers) {
    const place = join(folder, manager);
    mkdirSync(place);
    projects.set(manager, await runTutorial(readTutorial(manager), place, env));
    say(`${manager}: every step of Getting started does what the page says`);
  }

  const patch = await release(workspace, registry, [["core", "patch"]]);
  const minor = await release(workspace, registry, [["console-client", "minor"]]);
  say(`published ${[...patch, ...minor].join(", ")}`);
  for (const [manager, project] of projects) {
    await runShell(UPDATE[manager], project, env);
    // The minor release has all packages again; the page installs these.
    for (const name of minor.filter((each) => /\/(core|console-client)@/.test(each)))
      await expectInstalled(name, project, env);
    await runTutorial([ENTER, startOf(manager), FIRST_CALL], join(folder, manager), env);
    say(`${manager}: upgraded to the patch and the minor release, and the first call works`);
  }
} finally {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Throws if a project has no copy of a release. If its lockfile names an older one, pnpm keeps both, and the copies know each other. */
async function expectInstalled(
  released: string,
  project: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const at = released.lastIndexOf("@");
  const [name, version] = [released.slice(0, at), released.slice(at + 1)];
  const found = await runShell(
    `find node_modules -path '*/${name}/package.json' -exec node -p 'require(require("path").resolve(process.argv[1])).version' {} ';'`,
    project,
    env,
  );
  const versions = new Set(found.trim().split("\n"));
  if (!versions.has(version))
    throw new Error(`${project} has ${name} ${[...versions].join(", ")} instead of ${version}`);
}

function say(text: string): void {
  console.log(`release rehearsal: ${text}`);
}
