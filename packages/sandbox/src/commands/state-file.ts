import { existsSync, readFileSync, rmSync } from "node:fs";
import {
  aString,
  isIntact,
  isRecord,
  options,
  requires,
  withChecksum,
  withMethods,
} from "@fieldmesh/core/internal";
import { replaceFile } from "../server/replace-file.ts";
import { CommandError, UsageError } from "./command-error.ts";
import { jsonOrUndefined } from "./read-stream.ts";
import type { Lock } from "./with-lock.ts";

/** The state of a run in a file, with which the next run resumes. */
export interface StateFile<State> {
  readonly path: string;
  /** Tells whether a run has left a state. */
  exists(): boolean;
  /** Returns the state of the last run, if there is one. Rejects with a {@link CommandError} if the file is not as it was written. */
  read(): Promise<State | undefined>;
  /** Replaces the file as a whole, with mode 0600. */
  readonly write: (state: State) => Promise<void>;
  remove(): void;
}

/**
 * Opens the state of a run. `kind` names what the run does, and `advice` says what to do about a damaged file. Pass the lock of
 * the run, so that a process that has lost it writes nothing.
 *
 * @example
 * ```ts
 * await withLock("place.json", async (lock) => {
 *   const place = stateFile<{ page: number }>("place.json", { kind: "my import", lock });
 *   const { page } = (await place.read()) ?? { page: 0 };
 *   await place.write({ page: page + 1 });
 * });
 * ```
 */
export function stateFile<State extends object>(
  path: string,
  rules: { readonly kind: string; readonly advice?: string; readonly lock?: Lock | undefined },
): StateFile<State> {
  if (typeof path !== "string") throw requires("stateFile", "the path of a file", path);
  const { kind, advice = "Delete it, and run the command again.", lock } = readRules(rules);
  return {
    path,
    exists: () => existsSync(path),
    async read() {
      const text = readIfFound(path);
      if (text === undefined) return undefined;
      const value = jsonOrUndefined(text);
      if (!isRecord(value) || value["version"] !== 1 || value["kind"] !== kind)
        throw new UsageError(`${path} is damaged, or is not the state of ${kind}. ${advice}`);
      if (!isIntact(value as { readonly checksum: string }))
        throw new UsageError(`${path} was changed since it was written. ${advice}`);
      return value["state"] as State;
    },
    async write(state) {
      const content = `${JSON.stringify(withChecksum({ version: 1, kind, state }))}\n`;
      try {
        (lock?.replace ?? replaceFile)(path, content);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        const reason = code === "ENOSPC" ? "no space left on the disk" : code;
        throw new CommandError(
          `${path} cannot be written (${reason}). Free some space or change the mode of the folder, and run the same command again.`,
        );
      }
    },
    remove: () => rmSync(path, { force: true }),
  };
}

const readRules = /* @__PURE__ */ options<Parameters<typeof stateFile>[1]>("stateFile", {
  kind: { required: aString },
  advice: aString,
  lock: /* @__PURE__ */ withMethods("the lock that withLock passes to your function", "replace"),
});

function readIfFound(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new UsageError(`${path} cannot be read (${code}): it has to be a file of your user.`);
  }
}
