import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { exec } from "../tools/exec.ts";
import { install, RUNTIMES } from "../tools/install.ts";
import type { Finding } from "./setting.ts";
import { startServers } from "./start-servers.ts";

/** Runs the suite on a runtime that starts programs. */
export async function runProgram(
  { package: wanted, command }: Runtime,
  home: string,
  consumer: string,
): Promise<Finding[]> {
  // Bun and Deno put their programs in place by an install script.
  if (wanted !== undefined) await install(home, [wanted], { scripts: true });
  const [program, ...args] = [...command(home), await compile("program", consumer)];
  return await withServers(async (setting) => {
    const printed = await exec(program ?? "", args, {
      cwd: consumer,
      env: { CONFORMANCE_SETTING: setting },
    });
    return JSON.parse(printed.trim().split("\n").at(-1) ?? "") as Finding[];
  });
}

/** Runs the suite in a worker. */
export async function runWorker(home: string, consumer: string): Promise<Finding[]> {
  await install(home, [`miniflare@${RUNTIMES.miniflare}`], { scripts: true });
  const host = await startWorkerd(home, await bundleWorker(consumer));
  try {
    return await withServers(async (body) => {
      const response = await host.dispatchFetch("http://worker/", { method: "POST", body });
      return (await response.json()) as Finding[];
    });
  } finally {
    await host.dispose();
  }
}

/** Starts the servers of the checks, and passes their addresses as JSON. Each run has its own, because the checks change their state. */
async function withServers<T>(run: (setting: string) => Promise<T>): Promise<T> {
  const { setting, close } = await startServers();
  try {
    return await run(JSON.stringify(setting));
  } finally {
    await close();
  }
}

/** Compiles our own files to one program in the folder of the user, whose imports find the installed packages. */
async function compile(name: "program" | "worker", consumer: string): Promise<string> {
  const outfile = join(consumer, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2023",
    packages: "external",
  });
  return outfile;
}

/** A worker has no folder of packages: everything is in one file, as the bundler of a user creates it. */
async function bundleWorker(consumer: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [await compile("worker", consumer)],
    bundle: true,
    format: "esm",
    target: "es2023",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*"],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** The part of miniflare that is used. It is installed for a run and not with the workspace. */
interface Miniflare {
  dispatchFetch(url: string, init: { method: string; body: string }): Promise<Response>;
  dispose(): Promise<void>;
}

async function startWorkerd(home: string, contents: string): Promise<Miniflare> {
  const file = join(home, "node_modules", "miniflare", "dist", "src", "index.js");
  const { Miniflare: Host } = (await import(pathToFileURL(file).href)) as {
    Miniflare: new (options: object) => Miniflare;
  };
  return new Host({
    modules: [{ type: "ESModule", path: "worker.mjs", contents }],
    compatibilityDate: "2026-01-01",
    compatibilityFlags: ["nodejs_compat"],
  });
}

/** A runtime that runs our program. */
interface Runtime {
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
