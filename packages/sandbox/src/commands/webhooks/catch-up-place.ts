import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { fingerprint, timeOfStamp } from "@fieldmesh/core/internal";
import type { CatchUpCheckpoint } from "@fieldmesh/mobile-client";
import { UsageError } from "../command-error.ts";
import { stateFile, type StateFile } from "../state-file.ts";
import { shownPath } from "../shown-path.ts";
import type { Lock } from "../with-lock.ts";

interface State {
  /** A hash, because an address may contain a token. */
  readonly receiver: string;
  /** `--since` of the first run. */
  readonly since: string;
  readonly place: CatchUpCheckpoint;
}

/** The place of `catch-up`, which a file keeps between its runs: where the last complete run ended. */
export type PlaceFile = Pick<StateFile<CatchUpCheckpoint>, "read" | "write">;

/** The file belongs to one receiver, and to the events since one time. */
export function placeFile(file: string, receiver: URL, since: Date, lock: Lock): PlaceFile {
  const owner = fingerprint(receiver.href);
  const state = stateFile<State>(file, {
    kind: "catch-up",
    advice:
      "Choose another name, or delete it and run the same command again: it then sends everything since --since.",
    lock,
  });
  let first = since.toISOString();
  return {
    async read() {
      const found = await state.read();
      if (found === undefined) return undefined;
      if (found.receiver !== owner)
        throw new UsageError(
          `${file} belongs to another receiver. Choose another --checkpoint for each --to.`,
        );
      if (since.getTime() < timeOfStamp(found.since))
        throw new UsageError(
          `${file} continues from ${found.since}, and nothing before was sent. To send what is older too, delete it and run the same command again.`,
        );
      first = found.since;
      return found.place;
    },
    write: (place) => state.write({ receiver: owner, since: first, place }),
  };
}

/** Throws a UsageError if no file can be written to the folder. */
export async function checkFolderOf(file: string): Promise<void> {
  try {
    await access(dirname(file), constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${shownPath(file, "The file")} cannot be written (${code}): --checkpoint needs a file in a folder that exists and that you can write to.`,
    );
  }
}
