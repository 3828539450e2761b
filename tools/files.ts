import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Contents of files, by their paths. */
export type Files = ReadonlyMap<string, string>;

/** Writes files into a folder. */
export function writeFiles(files: Files, folder: string): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
