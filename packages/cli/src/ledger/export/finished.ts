// A run that is killed after its last step has done everything, but the user cannot know that. Finished exports are therefore
// remembered for a short time, in which the same command reports the result again.
import { hash } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { stateFile, type StateFile } from "@fieldmesh/sandbox/internal";
import type { Context } from "../../context.ts";
import type { ExportState } from "./journal.ts";
import { isSame, type Request } from "./request.ts";

/** Later, the same relative times mean another timeframe. In milliseconds. */
const LATELY = 10 * 60_000;
const ONLY_THIS_USER = 0o700;

/** Remembers that a file is complete. Without a folder for the user, nothing is remembered. */
export async function rememberFinished(
  env: Context["env"],
  out: string,
  state: ExportState,
): Promise<void> {
  const folder = folderOf(env);
  if (folder === undefined) return;
  try {
    await mkdir(folder, { recursive: true, mode: ONLY_THIS_USER });
    for (const name of await readdir(folder))
      if (await isOld(join(folder, name))) await rm(join(folder, name), { force: true });
    await finishedFile(join(folder, await nameOf(out))).write(state);
  } catch {
    // The file is complete anyway.
  }
}

/** Returns the state of a recently finished export of the file, if it has the same request. */
export async function findFinished(
  env: Context["env"],
  out: string,
  asked: Request,
): Promise<ExportState | undefined> {
  const folder = folderOf(env);
  if (folder === undefined) return undefined;
  try {
    const file = join(folder, await nameOf(out));
    const state = (await isOld(file)) ? undefined : await finishedFile(file).read();
    return state !== undefined && isSame(state.request, asked) ? state : undefined;
  } catch {
    return undefined;
  }
}

function finishedFile(path: string): StateFile<ExportState> {
  return stateFile<ExportState>(path, { kind: "a finished ledger export" });
}

/** Returns the name of the record of a file. A different file with the same name has a different record. */
async function nameOf(out: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(out);
  const file = [resolve(out), ino, size, mtimeMs].join("\n");
  return `${hash("sha256", file)}.json`;
}

async function isOld(file: string): Promise<boolean> {
  return Date.now() - (await stat(file)).mtimeMs > LATELY;
}

function folderOf(env: Context["env"]): string | undefined {
  const cache = env["XDG_CACHE_HOME"] || env["LOCALAPPDATA"];
  const base = env["XDG_RUNTIME_DIR"] || cache || (env["HOME"] && join(env["HOME"], ".cache"));
  return base ? join(base, "fieldmesh", "exports") : undefined;
}
