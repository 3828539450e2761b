import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./packages.ts";

/** Gone with node_modules, so that a clean install starts from nothing. */
const folder = join(root, "node_modules", ".cache", "fieldmesh");

/** One hash over the names and the contents of files and whole folders. */
export function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesIn)) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/** Tells whether this very input has been through the step of that name with success. */
export function isDone(step: string, hash: string): boolean {
  const file = join(folder, step);
  return existsSync(file) && readFileSync(file, "utf8") === hash;
}

export function remember(step: string, hash: string): void {
  const file = join(folder, step);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hash);
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}
