import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isRecord } from "@fieldmesh/core";
import { CliError } from "../../exit-codes.ts";
import { readUserFile, removeLeftovers, replaceFile } from "./private-file.ts";

/** What a run leaves in a file so that it can be resumed after a kill. It holds no key. */
export interface StateFile<State> {
  readonly path: string;
  /** What the last run left, if it left anything. */
  load(): Promise<State | undefined>;
  save(state: State): Promise<void>;
  remove(): Promise<void>;
}

/** The state of a run over a file is beside that file. `isState` tells whether an object in it is such a state. */
export function stateFile<State extends object>(
  path: string,
  isState: (state: Readonly<Record<string, unknown>>) => boolean = () => true,
): StateFile<State> {
  return {
    path,
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
