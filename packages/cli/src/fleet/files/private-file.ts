import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { CliError, exitCodes } from "../../exit-codes.ts";

/** Throws a CliError for an existing file, which may be the only copy of its contents. */
export function checkNewFile(file: string, option: string): void {
  if (existsSync(file))
    throw new CliError(`${file} already exists. Name a new file with ${option}, or remove it.`);
}

/** Replaces a file as a whole, so that a kill leaves the old one or the new one. Only this user can read it: mode 0600. */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  await removeLeftovers(file);
  await replaceFile(file, content);
}

/** Writes like {@link writePrivateFile}, for a file that one run writes often and concurrently. Call {@link removeLeftovers} at its end. */
export async function replaceFile(file: string, content: string): Promise<void> {
  try {
    await writeFileAtomic(file, content, { mode: 0o600 });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const exitCode = code in PASSING ? exitCodes.failed : exitCodes.usage;
    const reason = code === "ENOENT" ? "its folder does not exist" : reasonOf(error);
    throw new CliError(`${file} could not be written: ${reason}.`, exitCode);
  }
}

/** Removes the temporary files of a killed run. Their names are that of the file, followed by a number. */
export async function removeLeftovers(file: string): Promise<void> {
  const [folder, name] = [dirname(file), basename(file)];
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.filter(
    (each) => each.startsWith(`${name}.`) && /^\d{6,}$/.test(each.slice(name.length + 1)),
  );
  for (const each of leftovers) await rm(join(folder, each), { force: true });
}

/** Reads a file that the user named. */
export async function readUserFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw readError(file, error);
  }
}

/** Says why a file that the user named cannot be read. */
export function readError(file: string, error: unknown): CliError {
  return new CliError(`${file} could not be read: ${reasonOf(error)}.`);
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
