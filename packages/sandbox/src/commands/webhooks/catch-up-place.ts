import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { hashText, isIntact, withChecksum } from "@fieldmesh/core";
import * as z from "@fieldmesh/core/zod";
import type { CatchUpCheckpoint } from "@fieldmesh/mobile-client";
import { replaceFile } from "../../server/replace-file.ts";
import { CommandError, UsageError } from "../command-error.ts";

const BASE = 36;
const schema = z.strictObject({
  version: z.literal(1),
  /** A hash, because an address may contain a token. */
  receiver: z.string(),
  since: z.string(),
  place: z.record(z.string(), z.unknown()),
  checksum: z.string(),
});

/** A file that keeps the place of `catch-up` between its runs. */
export interface PlaceFile {
  /** Returns where the last complete run ended. `undefined` if there was none. */
  read(): Promise<CatchUpCheckpoint | undefined>;
  /** Replaces the file, which only this user can read. */
  write(place: CatchUpCheckpoint): void;
}

/** The file belongs to one receiver, and to the events since one time. */
export function placeFile(file: string, receiver: URL, since: Date): PlaceFile {
  const owner = hashText(receiver.href).toString(BASE);
  return {
    async read() {
      const text = await readIfFound(file);
      if (text === undefined) return undefined;
      const { data } = schema.safeParse(parse(text));
      if (data === undefined)
        throw new UsageError(
          `${file} is damaged, or is not a checkpoint of catch-up, so it is left as it is. Choose another name, or delete it.`,
        );
      if (!isIntact(data))
        throw new UsageError(
          `${file} was changed since it was written. Delete it and run the same command again: it then sends everything since --since.`,
        );
      if (data.receiver !== owner)
        throw new UsageError(
          `${file} belongs to another receiver. Choose another --checkpoint for each --to.`,
        );
      if (since.getTime() < Date.parse(data.since))
        throw new UsageError(
          `${file} continues from ${data.since}, and nothing before was sent. To send what is older too, delete it and run the same command again.`,
        );
      // catchUp checks its fields.
      return data.place as unknown as CatchUpCheckpoint;
    },
    write(place) {
      const content = { version: 1, receiver: owner, since: since.toISOString(), place };
      try {
        replaceFile(file, `${JSON.stringify(withChecksum(content))}\n`);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new CommandError(
          `${file} cannot be written (${code}). The events were sent. Free some space or change the mode of the folder, and run the same command again.`,
        );
      }
    },
  };
}

/** Throws a UsageError if no file can be written to the folder. */
export async function checkFolderOf(file: string): Promise<void> {
  try {
    await access(dirname(file), constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${file} cannot be written (${code}): --checkpoint needs a file in a folder that exists and that you can write to.`,
    );
  }
}

async function readIfFound(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new UsageError(
      `${file} cannot be read (${code}): --checkpoint needs the name of a file.`,
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
