import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../tools/exec.ts";
import { install, RUNTIMES, tarballs } from "../tools/install.ts";
import { installConsumer } from "../tools/tarballs/consumer.ts";
import { runProgram, runtimes, runWorker } from "./run-suite.ts";
import type { Finding } from "./setting.ts";

/** Where the packed packages must work. */
export interface Place {
  readonly name: string;
  readonly kind: "runtime" | "project";
  /** Runs what must hold there, in an empty folder. `consumer` is a folder in which all packages are installed. */
  readonly run: (folder: string, consumer: () => Promise<string>) => Promise<Finding[]>;
}

/** Each is a user's project, with the setup of its framework. Its tests end with "ok". */
const PROJECTS = join(import.meta.dirname, "projects");

/** One suite runs on every runtime, and each project runs its own tests. */
export const places: readonly Place[] = [
  ...runtimes.map((runtime): Place => ({
    name: runtime.name,
    kind: "runtime",
    run: async (folder, consumer) => runProgram(runtime, folder, await consumer()),
  })),
  {
    name: `workerd (miniflare ${RUNTIMES.miniflare})`,
    kind: "runtime",
    run: async (folder, consumer) => runWorker(folder, await consumer()),
  },
  ...readdirSync(PROJECTS).map((name): Place => ({
    name,
    kind: "project",
    run: (folder) => runProject(join(PROJECTS, name), folder),
  })),
];

type Names = Readonly<Record<string, string>>;

/** Installs the packed packages into a copy of a user's project, and runs its tests. */
async function runProject(project: string, folder: string): Promise<Finding[]> {
  cpSync(project, folder, { recursive: true });
  const file = join(folder, "package.json");
  const {
    dependencies = {},
    devDependencies = {},
    ...own
  } = JSON.parse(readFileSync(file, "utf8")) as { dependencies?: Names; devDependencies?: Names };
  const direct = { ...dependencies, ...devDependencies };
  const packed = (names: Names) =>
    Object.fromEntries(
      Object.entries(names).map(([name, range]) => [name, tarballs[name] ?? range]),
    );
  const behind = Object.entries(tarballs).filter(([name]) => !(name in direct));
  const manifest = {
    ...own,
    dependencies: packed(dependencies),
    devDependencies: packed(devDependencies),
    overrides: Object.fromEntries(behind),
  };
  writeFileSync(file, JSON.stringify(manifest));
  await install(folder);
  const printed = await exec("npm", ["test"], { cwd: folder });
  const title = "the project of a user works";
  return [printed.trim().split("\n").at(-1) === "ok" ? { title } : { title, error: printed }];
}

/** Runs places, each in a folder of its own. An error of a place that is not a finding of it becomes one. */
export function openWorkshop() {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-places-"));
  let consumer: Promise<string> | undefined;
  return {
    async run({ name, run }: Place): Promise<Finding[]> {
      try {
        const own = mkdtempSync(join(folder, `${name.replaceAll(/\W/g, "-")}-`));
        return await run(own, () => (consumer ??= installConsumer([])));
      } catch (error) {
        return [{ title: name, error: String(error) }];
      }
    },
    async close(): Promise<void> {
      for (const each of [folder, await consumer])
        if (each !== undefined) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
