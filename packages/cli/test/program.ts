import { join, resolve } from "node:path";
import { build } from "esbuild";

/** A program that is built for a test. */
export interface BuiltProgram {
  readonly file: string;
  /** Returns the sources of a built file, by its absolute path. */
  readonly sourcesOf: (file: string) => readonly string[];
}

/** Builds the program from the sources to a folder, with the same chunks as the published one. */
export async function buildProgram(folder: string): Promise<BuiltProgram> {
  const { metafile } = await build({
    entryPoints: { cli: join(import.meta.dirname, "../src/commands/cli.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    // For dependencies that are CommonJS.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url); const __filename = import.meta.filename;',
    },
    logLevel: "error",
    metafile: true,
  });
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, { inputs }]) => [
      resolve(path),
      Object.keys(inputs).map((input) => resolve(input)),
    ]),
  );
  return { file: join(folder, "cli.mjs"), sourcesOf: (file) => outputs.get(file) ?? [] };
}
