import { mkdtempSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../exec.ts";
import { names, root } from "../packages.ts";
import type { Registry } from "./registry.ts";

/** The commit, in a folder of its own. */
export async function cloneWorkspace(folder: string): Promise<string> {
  await exec("git", ["clone", "--quiet", "--local", root, folder]);
  await exec("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder });
  return folder;
}

/** Ends the release candidates. A range such as ^1.0.0 excludes them, so nobody could upgrade between them. */
export async function leavePreMode(workspace: string): Promise<void> {
  if (existsSync(join(workspace, ".changeset", "pre.json")))
    await exec("pnpm", ["exec", "changeset", "pre", "exit"], { cwd: workspace });
}

/**
 * Releases the changesets of a workspace, and one more for each package that is named, with the commands of the workflow "Release". Returns what was published, such as
 * `@fieldmesh/core@1.0.1`.
 */
export async function release(
  workspace: string,
  registry: Registry,
  changes: readonly (readonly [id: string, size: "patch" | "minor"])[],
): Promise<string[]> {
  for (const [id, size] of changes) {
    const changeset = `---\n"${names.scope}/${id}": ${size}\n---\n\nFixed: nothing; this is a rehearsal.\n`;
    writeFileSync(join(workspace, ".changeset", `rehearsal-${id}.md`), changeset);
  }
  const env = publisherEnvironment(registry);
  const run = (command: string, ...args: string[]) => exec(command, args, { cwd: workspace, env });
  await run("node", "tools/release/version.ts");
  // The packages are packed once, so that the tested files are published.
  await run("pnpm", "exec", "turbo", "run", "tarballs");
  const printed = await run("node", "tools/release/publish.ts", "node_modules/.cache");
  return [...printed.matchAll(/^published (.+)$/gm)].map(([, name = ""]) => name);
}

/** npm sends a token when it publishes. A registry on loopback accepts any. */
function publisherEnvironment({ url }: Registry): Record<string, string> {
  const userconfig = join(mkdtempSync(join(tmpdir(), "fieldmesh-npmrc-")), ".npmrc");
  writeFileSync(userconfig, `registry=${url}\n${url.replace("http:", "")}:_authToken=rehearsal\n`);
  return {
    NPM_CONFIG_USERCONFIG: userconfig,
    npm_config_userconfig: userconfig,
    npm_config_registry: url,
    PNPM_CONFIG_REGISTRY: url,
  };
}
