import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { exec } from "../tools/exec.ts";
import { install, RUNTIMES } from "../tools/install.ts";
import type { Runtime } from "./runtimes.ts";
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
