import { stat } from "node:fs/promises";
import type { Output } from "./output/output.ts";

/** The permissions of every user but the owner. */
const OTHERS = 0o077;

/** Tells whether other users of this machine can open a file. Always false on Windows, where a mode does not say so. */
export async function isSharedFile(file: string): Promise<boolean> {
  if (process.platform === "win32") return false;
  const found = await stat(file).catch(() => undefined);
  // A pipe, such as that of `<(pass show key)`, is not on the disk.
  return found?.isFile() === true && (found.mode & OTHERS) !== 0;
}

/** Warns about a file with a secret that other users can open. */
export async function warnIfShared(file: string, { note }: Pick<Output, "note">): Promise<void> {
  if (await isSharedFile(file))
    note(`Warning: other users can open ${file}, which holds a secret. Run chmod 600 on it.`);
}
