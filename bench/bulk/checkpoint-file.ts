import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { BulkCheckpoint } from "@fieldmesh/console-client";

/** Stores the checkpoint of a child in a file. A kill always leaves a complete one. */
export function openCheckpointFile(file: string | undefined) {
  return {
    load: (): BulkCheckpoint | undefined => {
      if (file === undefined) return undefined;
      try {
        return JSON.parse(readFileSync(file, "utf8")) as BulkCheckpoint;
      } catch {
        return undefined;
      }
    },
    save: (checkpoint: BulkCheckpoint): void => {
      if (file === undefined) return;
      writeFileSync(`${file}.new`, JSON.stringify(checkpoint));
      renameSync(`${file}.new`, file);
    },
  };
}
