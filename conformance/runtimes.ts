import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "../tools/exec.ts";
import { root } from "../tools/packages.ts";

/** A runtime that runs our program. */
export interface Runtime {
  /** The name in the docs, with the version. */
  readonly name: string;
  /** The npm package that contains it. None for the Node that runs this. */
  readonly package?: string;
  /** Returns the command that starts a program. The package is installed in `home`. */
  readonly command: (home: string) => readonly [program: string, ...args: string[]];
}

const { dependencies: versions } = JSON.parse(
  readFileSync(join(root, "compat", "package.json"), "utf8"),
) as { dependencies: { bun: string; deno: string; miniflare: string } };
const platform = `${process.platform}-${process.arch}`;
const bin = (home: string, name: string): string => join(home, "node_modules", ".bin", name);
const OWN = process.versions.node;

/** Workers have no command: see run-suite.ts. */
export const WORKERD = `workerd (miniflare ${versions.miniflare})`;

/** Every runtime of the suite but workerd, the oldest Node first. */
export const runtimes: readonly Runtime[] = [
  node("22.12.0"),
  { name: `Node ${OWN}`, command: () => [process.execPath] },
  node("26.10.0"),
  {
    name: `Node ${OWN} without code from strings`,
    command: () => [process.execPath, "--disallow-code-generation-from-strings"],
  },
  {
    name: `Bun ${versions.bun}`,
    package: `bun@${versions.bun}`,
    command: (home) => [bin(home, "bun")],
  },
  {
    name: `Deno ${versions.deno}`,
    package: `deno@${versions.deno}`,
    command: (home) => [bin(home, "deno"), "run", "--quiet", "--allow-net", "--allow-env"],
  },
];

/** A version of Node, from an npm package that contains only the program. */
function node(version: string): Runtime {
  return {
    name: `Node ${version}`,
    package: `node-${platform}@${version}`,
    command: (home) => [join(home, "node_modules", `node-${platform}`, "bin", "node")],
  };
}

export const MINIFLARE = `miniflare@${versions.miniflare}`;

/** Installs the package of a runtime into a folder. Bun and Deno put their programs in place by an install script. */
export async function install(name: string, home: string): Promise<void> {
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts=false", `--prefix=${home}`];
  await exec("npm", ["install", ...flags, name]);
}
