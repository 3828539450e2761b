import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram } from "../../../tools/bundle-program.ts";

/** A program that is built for a test. */
export interface BuiltProgram {
  readonly file: string;
  /** Returns the sources of a built file, by its absolute path. */
  readonly sourcesOf: (file: string) => readonly string[];
}

/** Builds the program from the sources to a folder, as the published one is built. */
export async function buildProgram(folder: string): Promise<BuiltProgram> {
  const ours = join(import.meta.dirname, "..");
  const program = join(folder, "program");
  const sources = await bundleProgram(ours, join(program, "dist"));
  writeFileSync(join(program, "package.json"), '{ "type": "module" }');
  symlinkSync(join(ours, "node_modules"), join(program, "node_modules"));
  return {
    file: join(program, "dist", "cli.js"),
    sourcesOf: (file) => sources.get(file) ?? [file],
  };
}
