import { stat } from "node:fs/promises";
import { requireOptions } from "@fieldmesh/core";
import type { CommandOutput } from "./command.ts";

/** The permissions of every user but the owner. */
const OTHERS = 0o077;

/**
 * Tells whether other users of this machine can open a file. Always false on Windows, where a mode does not say so, and for a
 * file that does not exist.
 *
 * @example
 * ```ts
 * await isSharedFile("secret.txt"); // true for a file with mode 0644
 * ```
 */
export async function isSharedFile(file: string): Promise<boolean> {
  if (process.platform === "win32") return false;
  const found = await stat(file).catch(() => undefined);
  // A pipe, such as that of `<(pass show key)`, is not on the disk.
  return found?.isFile() === true && (found.mode & OTHERS) !== 0;
}

/**
 * Warns about a file with a secret that other users can open. Rejects with a TypeError for an output that is not an object.
 *
 * @example
 * ```ts
 * await warnIfShared("secret.txt", { note: (text) => console.error(text) });
 * ```
 */
export async function warnIfShared(
  file: string,
  output: Pick<CommandOutput, "note">,
): Promise<void> {
  const { note } = requireOptions("warnIfShared", output, "such as { note: console.error }");
  if (await isSharedFile(file))
    note(`Warning: other users can open ${file}, which holds a secret. Run chmod 600 on it.`);
}
