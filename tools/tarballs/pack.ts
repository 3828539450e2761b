import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exec } from "../exec.ts";
import { type Package, packages, root } from "../packages.ts";

const FOLDER = join(root, "node_modules", ".cache", "fieldmesh", "tarballs");

/** Packs every package as it would be published. The same content gives the same bytes. */
export async function packAll(): Promise<undefined> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const { folder } of packages)
    await exec("pnpm", ["pack", "--pack-destination", FOLDER], { cwd: folder });
}

export function tarballOf({ manifest }: Package): string {
  return join(
    FOLDER,
    `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`,
  );
}
