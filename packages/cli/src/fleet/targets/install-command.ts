import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { shellWord } from "@fieldmesh/sandbox/internal/commands";
import manifest from "../../../package.json" with { type: "json" };

/** How this program was started. */
export interface Start {
  /** The real path of a file of this package. */
  readonly file: string;
  /** The current folder. */
  readonly folder: string;
  /** The arguments of the program. */
  readonly args: readonly string[];
}

/** What adds a package to a project, by the lockfile in its folder. npm also where there is none. */
const MANAGERS: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm add",
  "yarn.lock": "yarn add",
  "bun.lock": "bun add",
};

/** Returns the command that installs packages where this program finds them, or that runs it again with them. */
export function installCommand(packages: readonly string[], { file, folder, args }: Start): string {
  const own = `${manifest.name}@${manifest.version}`;
  const line = ["fieldmesh", ...args].map(shellWord).join(" ");
  if (/[\\/]_npx[\\/]/.test(file))
    return `npx ${[own, ...packages].map((each) => `-p ${each}`).join(" ")} ${line}`;
  if (/[\\/]dlx[-\\/]/.test(file))
    return `pnpm ${[own, ...packages].map((each) => `--package=${each}`).join(" ")} dlx ${line}`;
  const added = packages.join(" ");
  if (/[\\/]pnpm[\\/]global[\\/]/.test(file)) return `pnpm add --global ${added}`;
  const [project = ""] = file.split(`${sep}node_modules${sep}`);
  if (!existsSync(join(project, "package.json"))) return `npm install --global ${added}`;
  const lockfile = Object.keys(MANAGERS).find((each) => existsSync(join(project, each)));
  const command = `${MANAGERS[lockfile ?? ""] ?? "npm install"} ${added}`;
  return isWithin(folder, project) ? command : `cd ${shellWord(project)} && ${command}`;
}

function isWithin(folder: string, project: string): boolean {
  return folder === project || (folder !== dirname(folder) && isWithin(dirname(folder), project));
}
