import { stat } from "node:fs/promises";

/** The permissions of every user but the owner. */
const OTHERS = 0o077;

/** Tells whether other users of this machine can open a file. Always false on Windows, where file modes do not show this. */
export async function isSharedFile(file: string): Promise<boolean> {
  if (process.platform === "win32") return false;
  const found = await stat(file).catch(() => undefined);
  // A pipe, such as that of `<(pass show key)`, is not on the disk.
  return found?.isFile() === true && (found.mode & OTHERS) !== 0;
}

/** Resolves to a warning about a file with a secret that other users can open; `undefined` for any other file. */
export async function sharedFileWarning(file: string): Promise<string | undefined> {
  return (await isSharedFile(file))
    ? `Warning: other users can open ${file}, which holds a secret. Run chmod 600 on it.`
    : undefined;
}
