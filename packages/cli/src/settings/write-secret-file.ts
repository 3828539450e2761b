import { existsSync, realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file that only this user can read. It is replaced as a whole, so that a kill leaves the old one or the new one. */
export async function writeSecretFile(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { replaceFile } = await import("@fieldmesh/sandbox/internal");
  // A config file may be a link into a folder with all settings of the user.
  replaceFile(existsSync(file) ? realpathSync(file) : file, content);
}
