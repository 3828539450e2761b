import { CliError, exitCodes } from "../../exit-codes.ts";

const SQLITE_FULL = 13;
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const NO_FOLDER: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);
const NOT_WRITABLE: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "EISDIR"]);

/** Returns a sentence for an error of the file system; `undefined` for all other errors. */
export function fileProblem(error: unknown, file: string): CliError | undefined {
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: unknown };
  if (errcode === SQLITE_FULL || FULL.has(code))
    return new CliError(
      `There is no space left to write ${file}: free some space, and run the same command again. What was read is kept.`,
      exitCodes.failed,
    );
  if (NO_FOLDER.has(code))
    return new CliError(
      `The folder of ${file} does not exist: create it, or choose another --out.`,
    );
  if (NOT_WRITABLE.has(code))
    return new CliError(`${file} cannot be written (${code}). Choose another --out.`);
  return undefined;
}
