import type { Clock } from "@fieldmesh/core";
import type { Snapshot } from "../../engine/services/snapshot.ts";
import { checkSnapshotFile, readSnapshot, saveSnapshot } from "../../server/snapshot-file.ts";
import type { RunningSandbox } from "../../server/start-sandbox.ts";
import type { CommandOutput } from "../command.ts";
import { UsageError } from "../command-error.ts";

/** Reads the file of --from. Throws a UsageError. */
export function readFrom(file: string): Snapshot {
  return orUsageError("from", () => readSnapshot(file));
}

/** Throws a UsageError for a file that --save could not write at the end. */
export function checkSaveFile(file: string): void {
  orUsageError("save", () => checkSnapshotFile(file));
}

/** Writes the file of --save. A failure is told, because Ctrl-C has ended the command already. */
export function writeSave(
  file: string,
  sandbox: RunningSandbox<Clock>,
  output: CommandOutput,
): void {
  try {
    saveSnapshot(file, sandbox.snapshot());
    output.note(`The snapshot is in ${file}. It contains all keys.`);
  } catch (error) {
    output.note(`--save: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

function orUsageError<T>(option: "from" | "save", work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(`--${option}: ${(error as Error).message}`);
  }
}
