// npm run release -- sizes: writes how large each entry is in a bundle. `npm run test:slow` fails if one has grown by more than a tenth.
import { rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { packages, publicEntries } from "../packages.ts";
import { installConsumer } from "./consumer.ts";

/** The checked-in sizes, with an entry for each import path. */
export const SIZES = join(import.meta.dirname, "sizes.json");

/** Returns every import path of every package, such as `@fieldmesh/webhook-types/parse`. */
export const specifiers: readonly string[] = packages.flatMap(({ manifest }) =>
  publicEntries(manifest).map(([path]) => manifest.name + path.slice(1)),
);

/** How large a bundle is, in bytes: the sum of its files, each minified and gzipped. */
export interface Size {
  /** The files that are loaded before the program runs: the first one, and what it imports. */
  readonly first: number;
  /** All files, also those that `import()` loads later. */
  readonly all: number;
}

/** The size of a bundle, and the names of the files that it was made of. */
export interface Bundle extends Size {
  readonly inputs: readonly string[];
  /** The text of all files. */
  readonly code: string;
}

/** Returns the size of all exports of an entry in a bundle for Node, including dependencies without peers. */
export async function sizeOf(specifier: string, folder: string): Promise<Size> {
  const peers = packages.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
  const { first, all } = await bundle(`export * from "${specifier}";`, folder, { external: peers });
  return { first, all };
}

/** Bundles a program. What it loads by `import()` becomes files of their own, as in every bundler for browsers. */
export async function bundle(
  contents: string,
  folder: string,
  options: { platform?: "node" | "browser"; external?: string[] } = {},
): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    platform: "node",
    ...options,
    stdin: { contents, resolveDir: folder },
    absWorkingDir: folder,
    outdir: "bundle",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const first = loadedFirst(metafile);
  const bytes = outputFiles.map(({ path, contents: file }) => ({
    isFirst: first.has(relative(folder, path)),
    size: gzipSync(file, { level: 9 }).length,
  }));
  return {
    first: sum(bytes.filter(({ isFirst }) => isFirst).map(({ size }) => size)),
    all: sum(bytes.map(({ size }) => size)),
    inputs: Object.keys(metafile.inputs),
    code: outputFiles.map(({ text }) => text).join("\n"),
  };
}

/** Returns the file of the program and every file that it imports without `import()`, directly or not. */
function loadedFirst({ outputs }: Metafile): ReadonlySet<string> {
  const files = new Set(
    Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === "<stdin>"),
  );
  // A file that is added while the loop runs is visited too.
  for (const file of files) {
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === "import-statement" && path in outputs) files.add(path);
  }
  return files;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

if (import.meta.main) {
  const folder = await installConsumer([]);
  const sizes: Record<string, Size> = {};
  for (const specifier of specifiers) sizes[specifier] = await sizeOf(specifier, folder);
  rmSync(folder, { recursive: true });
  writeFileSync(SIZES, `${JSON.stringify(sizes, undefined, 2)}\n`);
}
