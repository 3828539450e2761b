import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "./exec.ts";
import { root } from "./packages.ts";

/** Where the task `documents` writes the machine-readable documents, by their paths on the site. */
export const documents = join(root, "node_modules", ".cache", "documents");

/** Reads one of them, such as `openapi/console.json`. */
export function readDocument(path: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(documents, path), "utf8")) as Readonly<
    Record<string, unknown>
  >;
}

/** Builds them before the tests of a project that read them. turbo restores them if no source has changed; below turbo, the task has run. */
export async function setup(): Promise<void> {
  if (process.env["TURBO_HASH"] === undefined) await exec("turbo", ["run", "documents"]);
}
