import { readdirSync } from "node:fs";
import { join } from "node:path";
import { RUNTIMES } from "../tools/install.ts";
import { runProject } from "./run-project.ts";
import { runProgram, runWorker } from "./run-suite.ts";
import { runtimes } from "./runtimes.ts";
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
