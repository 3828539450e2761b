import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRecord } from "@fieldmesh/core";
import { SNAPSHOT_FORMAT, type Snapshot } from "../engine/time/snapshot.ts";

/** How every snapshot begins. */
const MARK = `{"format":"${SNAPSHOT_FORMAT}"`;

/**
 * Writes a snapshot to a file that only this user can read, because it contains keys.
 *
 * It replaces an earlier snapshot, and no other file. The file is complete at any time, also if the process is killed. Throws a
 * TypeError for a file that is not a snapshot, and the error of node:fs if it cannot be written.
 *
 * @example
 * ```ts
 * saveSnapshot("fleet.snapshot.json", sandbox.snapshot());
 * ```
 */
export function saveSnapshot(file: string, snapshot: Snapshot): void {
  checkSnapshotFile(file);
  const written = join(dirname(file), `.${basename(file)}-${process.pid}`);
  try {
    writeFileSync(written, `${JSON.stringify(snapshot)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(written, file);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
}

/**
 * Reads a snapshot from a file, for `startSandbox({ snapshot })`, `createSandbox({ snapshot })` or `restore`.
 *
 * Throws the error of node:fs if the file cannot be read, and a TypeError if it is not a snapshot.
 *
 * @example
 * ```ts
 * await using sandbox = await startSandbox({ snapshot: readSnapshot("fleet.snapshot.json") });
 * ```
 */
export function readSnapshot(file: string): Snapshot {
  const text = readFileSync(file, "utf8");
  const value = parse(text);
  if (!isRecord(value) || value["format"] !== SNAPSHOT_FORMAT)
    throw new TypeError(`${file} is not a snapshot of a sandbox.`);
  return value as unknown as Snapshot;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Throws a TypeError for a file that exists and is not a snapshot. */
export function checkSnapshotFile(file: string): void {
  const start = startOf(file);
  if (start !== undefined && start !== MARK)
    throw new TypeError(
      `${file} exists and is not a snapshot of a sandbox, so it is left as it is. Choose another name.`,
    );
}

/** Reads as much of a file as a snapshot can be recognized by. `undefined` if there is none. */
function startOf(file: string): string | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, "r");
    const bytes = Buffer.alloc(MARK.length);
    return bytes.toString("utf8", 0, readSync(opened, bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
