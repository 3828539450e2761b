import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isRecord } from "@fieldmesh/core";
import { CliError } from "../../exit-codes.ts";
import { readUserFile, removeLeftovers, replaceFile } from "./private-file.ts";

/** The state of a run in a file, to resume it after a kill. It contains no key. */
export interface StateFile<State> {
  readonly path: string;
  /** Tells whether a run has not finished. */
  exists(): boolean;
  /** Returns the state of the last run, if there is one. */
  load(): Promise<State | undefined>;
  save(state: State): Promise<void>;
  remove(): Promise<void>;
}

/** Opens the state file of a run, which is next to the file of the run. `isState` tells whether an object is such a state. */
export function stateFile<State extends object>(
  path: string,
  isState: (state: Readonly<Record<string, unknown>>) => boolean = () => true,
): StateFile<State> {
  return {
    path,
    exists: () => existsSync(path),
    async load() {
      if (!existsSync(path)) return undefined;
      const state = parse((await readUserFile(path)).toString());
      if (!isRecord(state) || !isState(state))
        throw new CliError(`${path} is damaged. Delete it, and run the command again.`);
      return state as State;
    },
    save: (state) => replaceFile(path, JSON.stringify(state)),
    async remove() {
      await rm(path, { force: true });
      await removeLeftovers(path);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
