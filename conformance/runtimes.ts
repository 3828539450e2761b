import { join } from "node:path";
import { RUNTIMES } from "../tools/install.ts";

/** A runtime that runs our program. */
export interface Runtime {
  /** The name in the docs, with the version. */
  readonly name: string;
  /** The npm package that contains it. None for the Node that runs this. */
  readonly package?: string;
  /** Returns the command that starts a program. The package is installed in `home`. */
  readonly command: (home: string) => readonly [program: string, ...args: string[]];
}

const platform = `${process.platform}-${process.arch}`;
const bin = (home: string, name: string): string => join(home, "node_modules", ".bin", name);
const OWN = process.versions.node;

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
    name: `Bun ${RUNTIMES.bun}`,
    package: `bun@${RUNTIMES.bun}`,
    command: (home) => [bin(home, "bun")],
  },
  {
    name: `Deno ${RUNTIMES.deno}`,
    package: `deno@${RUNTIMES.deno}`,
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
