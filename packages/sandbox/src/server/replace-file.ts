import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Replaces a file by one that only this user can read. The file is complete at any time, even if the process is killed. */
export function replaceFile(file: string, content: string): void {
  const written = join(dirname(file), `.${basename(file)}-${process.pid}`);
  try {
    writeFileSync(written, content, { mode: 0o600, flag: "wx", flush: true });
    renameSync(written, file);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
}
