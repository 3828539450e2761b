import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Replaces a file as a whole, even if the process is killed. Only this user can read it. `folder` is on the same disk. */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  folder: string = dirname(file),
): void {
  const written = join(folder, `.${basename(file)}-${randomUUID()}`);
  try {
    writeFileSync(written, content, { mode: 0o600, flag: "wx", flush: true });
    renameSync(written, file);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
}
