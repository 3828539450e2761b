import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generate } from "./generate.ts";

/** Writes every document into a folder, as the site and a release have them. */
export function publish(folder: string): void {
  writeFiles(generate().published, folder);
}

/** Writes files into a folder: their contents by their paths. */
export function writeFiles(files: ReadonlyMap<string, string>, folder: string): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
