import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { publish } from "./publish.ts";

/** Writes all documents into a folder for the tests of a file, and removes it after them. */
export function publishedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-documents-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  publish(folder);
  return folder;
}
