import { constants, existsSync } from "node:fs";
import { access, open } from "node:fs/promises";
import { dirname } from "node:path";
import {
  openFileOrPipe,
  readFileOrPipe,
  replaceFile,
  sharedFileWarning,
  shownPath,
} from "@fieldmesh/sandbox/internal";
import { CliError, exitCodes } from "../exit-codes.ts";
import type { Context } from "../context.ts";

/** Throws a CliError for an existing file, which may be the only copy of its contents. */
export function checkNewFile(file: string, option: string): void {
  if (existsSync(file))
    throw new CliError(`${file} already exists. Name a new file with ${option}, or remove it.`);
}

/** Replaces a file as a whole, so that a kill leaves the old one or the new one. Only this user can read it: mode 0600. */
export function writePrivateFile(file: string, content: string, what = "The file"): void {
  try {
    replaceFile(file, content);
  } catch (error) {
    throw writeError(file, error, what);
  }
}

/** Returns a CliError for an error of the file system while a file was written, and any other error as it is. */
export function whyNotWritten(file: string, error: unknown): unknown {
  return (error as NodeJS.ErrnoException).syscall === undefined
    ? error
    : writeError(file, error, "The file");
}

/** Opens a new file of `--out`. Only this user can read it, unless everything in it is public. */
export async function openNewFile(file: string, { isPublic }: { readonly isPublic: boolean }) {
  try {
    return await open(file, "wx", isPublic ? EVERYONE : ONLY_THIS_USER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new CliError(`${file} already exists. Remove it, or choose another name for --out.`);
    throw writeError(file, error, "The file of --out");
  }
}

export const ONLY_THIS_USER = 0o600;
/** As the umask allows. */
const EVERYONE = 0o666;

/** Throws a CliError for a file that does not exist or that this user cannot read. */
export async function checkReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw readError(file, error);
  });
}

/** Throws a CliError if nothing can be written next to a file. `use` says what is. */
export async function checkFolder(file: string, use: string): Promise<void> {
  const folder = dirname(file);
  await access(folder, constants.W_OK).catch(() => {
    throw new CliError(
      `${shownPath(folder, "The folder of the file")} is not writable, and ${use} next to the file. Copy the file to another folder.`,
    );
  });
}

/** Opens a file or a pipe that the user named, of any size. `what` is as in {@link readUserFile}. The signal ends the wait for a pipe. */
export async function* streamUserFile(
  file: string,
  signal: AbortSignal = new AbortController().signal,
  what?: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* await openFileOrPipe(file, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : readError(file, error, what);
  }
}

/** Reads a file or a pipe that the user named. `what` is where, such as `The file of --mapping`. The signal ends the wait for a pipe. */
export async function readUserFile(
  file: string,
  what?: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Buffer> {
  try {
    return await readFileOrPipe(file, signal);
  } catch (error) {
    throw signal.aborted ? error : readError(file, error, what);
  }
}

/** Reads a secret from the first line of a file; `what` names it. Warns if other users can open the file. */
export async function readFirstLine(
  { output, signal }: Pick<Context, "output" | "signal">,
  file: string,
  what: string,
): Promise<string> {
  const content = await readUserFile(file, `The file with ${what}`, signal);
  const [line = ""] = content.toString().split(/\r?\n/);
  if (line === "") throw new CliError(`The first line of ${file} is empty: write ${what} there.`);
  const warning = await sharedFileWarning(file);
  if (warning) output.note(warning);
  return line;
}

/** Says why a file that the user named cannot be read. */
function readError(file: string, error: unknown, what = "The file"): CliError {
  return new CliError(`${shownPath(file, what)} could not be read: ${reasonOf(error)}.`);
}

function writeError(file: string, error: unknown, what: string): CliError {
  const { code = "" } = error as NodeJS.ErrnoException;
  const exitCode = code in PASSING ? exitCodes.failed : exitCodes.usage;
  const reason = code === "ENOENT" ? "its folder does not exist" : reasonOf(error);
  return new CliError(`${shownPath(file, what)} could not be written: ${reason}.`, exitCode);
}

/** The same command may succeed later. */
const PASSING: Readonly<Record<string, string>> = {
  EDQUOT: "the quota of the disk is used up; free some space and run the command again",
  EIO: "the disk failed; check it and run the command again",
  ENOSPC: "the disk is full; free some space and run the command again",
};
const REASONS: Readonly<Record<string, string>> = {
  ...PASSING,
  EACCES: "you have no permission",
  EISDIR: "it is a folder",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a folder",
  EROFS: "the disk is read-only",
};

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  return REASONS[code] ?? `the system reports ${code}`;
}
