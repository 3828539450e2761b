import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes an empty folder, and removes it when the test, or with `afterAll` the file, has ended. */
export function temporaryFolder(atEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-test-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
