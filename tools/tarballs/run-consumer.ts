import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../exec.ts";
import { packages, root } from "../packages.ts";

const folder = join(root, "consumers");

/** The projects in the folder `consumers`. */
export const consumers: readonly string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Project {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Installs the packed packages into a copy of a project, runs its tests, and returns their last line. */
export async function runConsumer(name: string): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), `fieldmesh-${name}-`));
  try {
    cpSync(join(folder, name), copy, { recursive: true });
    const file = join(copy, "package.json");
    const project = JSON.parse(readFileSync(file, "utf8")) as Project;
    const direct = { ...project.dependencies, ...project.devDependencies };
    const tarballs = packages.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]);
    // The dependencies between our packages may not be on a registry yet.
    const behind = tarballs.filter(([each = ""]) => !(each in direct));
    const packed = Object.fromEntries(tarballs) as Record<string, string>;
    const withTarballs = (names: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(
        Object.entries(names).map(([each, version]) => [each, packed[each] ?? version]),
      );
    const own = {
      ...project,
      dependencies: withTarballs(project.dependencies),
      devDependencies: withTarballs(project.devDependencies),
      overrides: Object.fromEntries(behind) as object,
    };
    writeFileSync(file, JSON.stringify(own));
    const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    await exec("npm", ["install", ...flags], { cwd: copy });
    const printed = await exec("npm", ["test"], { cwd: copy });
    return printed.trim().split("\n").at(-1) ?? "";
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  }
}
