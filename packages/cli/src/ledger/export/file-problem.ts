import { CliError, exitCodes } from "../../exit-codes.ts";

const SQLITE_FULL = 13;

/** Returns a sentence for an error of the file system; `undefined` for all other errors. */
export function fileProblem(error: unknown, file: string): CliError | undefined {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (errcode === SQLITE_FULL) return full(file);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return full(file);
    case "ENOENT":
    case "ENOTDIR":
      return new CliError(
        `The folder of ${file} does not exist: create it, or choose another --out.`,
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "EISDIR":
      return new CliError(`${file} cannot be written (${code}). Choose another --out.`);
    default:
      return undefined;
  }
}

function full(file: string): CliError {
  return new CliError(
    `There is no space left to write ${file}: free some space, and run the same command again. What was read is kept.`,
    exitCodes.failed,
  );
}
