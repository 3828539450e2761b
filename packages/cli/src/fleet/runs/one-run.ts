import { type Lock, stateFile, type StateFile } from "@fieldmesh/sandbox/internal";
import type { Context } from "../../context.ts";
import { checkFolder } from "../../files/user-file.ts";
import { locked } from "../../locked.ts";

type Work = (context: Context, lock: Lock) => Promise<void>;

/**
 * Lets one process at a time work on a file, because two would create everything twice. `what` names what it writes beside the file.
 * A trial writes nothing there, and needs no lock.
 */
export async function oneRun(
  context: Context,
  files: readonly string[],
  what: string,
  work: Work,
): Promise<void> {
  const [file = ""] = files;
  const { signal } = context;
  if (context.isTrial) {
    await work(context, { signal, check: () => undefined, replace: () => undefined });
    return;
  }
  for (const each of files) await checkFolder(each, what);
  await locked(context, file, work);
}

/** Opens the state of a run. A trial neither reads nor changes the state that a real run has left. */
export function stateOf<State extends object>(
  { isTrial }: Context,
  path: string,
  rules: Parameters<typeof stateFile>[1],
): StateFile<State> {
  const state = stateFile<State>(path, rules);
  if (!isTrial) return state;
  const nothing = async (): Promise<undefined> => undefined;
  return { path, exists: () => false, read: nothing, write: nothing, remove: () => undefined };
}
