import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { packages } from "../packages.ts";

/** The checked-in sizes, with an entry for each import path. */
export const SIZES = join(import.meta.dirname, "sizes.json");

/** Returns every import path of every package, such as `@fieldmesh/webhook-types/parse`. */
export const specifiers: readonly string[] = packages.flatMap(({ manifest }) =>
  Object.keys(manifest.exports).map((path) => manifest.name + path.slice(1)),
);

/**
 * Returns the size of all exports of an entry in a bundle for Node, minified and gzipped, in bytes, including dependencies
 * without peers.
 */
export async function sizeOf(specifier: string, folder: string): Promise<number> {
  const peers = packages.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${specifier}";`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    external: peers,
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}

/** Replaces the checked-in sizes. */
export function writeSizes(sizes: Readonly<Record<string, number>>): void {
  writeFileSync(SIZES, `${JSON.stringify(sizes, undefined, 2)}\n`);
}
