import { mkdirSync } from "node:fs";
import { exec } from "./exec.ts";
import { packages } from "./packages.ts";

/** Other runtimes, 538 MB: the tests that use them install them. */
export const RUNTIMES = { bun: "1.4.5", deno: "2.9.6", miniflare: "4.20260730.0" } as const;

/** Our packed packages by their names, for a package.json: before a release, no registry has the ones that others depend on. */
export const tarballs: Readonly<Record<string, string>> = Object.fromEntries(
  packages.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
);

/** Installs packages into a folder with npm, like a user: those of its package.json, and those that are named. A flag of npm may be among the names. */
export async function install(
  folder: string,
  names: readonly string[] = [],
  { scripts = false }: { readonly scripts?: boolean } = {},
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", `--ignore-scripts=${!scripts}`];
  await exec("npm", ["install", ...flags, `--prefix=${folder}`, ...names], { cwd: folder });
}
