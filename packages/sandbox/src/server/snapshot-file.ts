import { accessSync, closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { isRecord, memberOf, mistake, requires, readInput } from "@fieldmesh/core/internal";
import type { Snapshot } from "../engine/services/snapshot.ts";
import { SNAPSHOT_FORMAT } from "../engine/saved/snapshot-schema.ts";
import { replaceFile } from "./replace-file.ts";

/** How every snapshot begins. */
const MARK = `{"format":"${SNAPSHOT_FORMAT}"`;

/**
 * Writes a snapshot to a file that only this user can read, because it contains keys.
 *
 * It replaces an earlier snapshot, and no other file. The file is complete at any time, even if the process is killed. Throws a
 * TypeError for a file that is not a snapshot or cannot be written.
 *
 * @example
 * ```ts
 * saveSnapshot("fleet.snapshot.json", sandbox.snapshot());
 * ```
 */
export function saveSnapshot(file: string, snapshot: Snapshot): void {
  checkName("saveSnapshot", file);
  const json = readInput("The snapshot", () => {
    if (memberOf(snapshot, "format") !== SNAPSHOT_FORMAT)
      throw mistake("saveSnapshot requires a snapshot: pass sandbox.snapshot().");
    return JSON.stringify(snapshot) as string | undefined;
  });
  // A `toJSON` of the snapshot may return nothing.
  if (json === undefined)
    throw mistake("saveSnapshot requires a snapshot that can be written as JSON.");
  checkSnapshotFile(file);
  try {
    replaceFile(file, `${json}\n`);
  } catch (error) {
    throw notPossible(file, "written", error);
  }
}

/**
 * Reads a snapshot from a file, for `startSandbox({ snapshot })`, `createSandbox({ snapshot })` or `restore`.
 *
 * Throws a TypeError for a file that cannot be read or is not a snapshot.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox({ snapshot: readSnapshot("fleet.snapshot.json") });
 * ```
 */
export function readSnapshot(file: string): Snapshot {
  checkName("readSnapshot", file);
  return parseSnapshot(readText(file), file);
}

/** Reads a snapshot from the content of a file. */
export function parseSnapshot(content: string, file: string): Snapshot {
  const value = parse(content);
  if (!isRecord(value) || value["format"] !== SNAPSHOT_FORMAT)
    throw mistake(`${file} is not a snapshot of a sandbox.`);
  return value as unknown as Snapshot;
}

/** Throws a TypeError for a file that exists and is not a snapshot, or whose folder cannot be written to. */
export function checkSnapshotFile(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw notPossible(file, "written", error);
  }
  const start = startOf(file);
  if (start !== undefined && start !== MARK)
    throw mistake(
      `${file} exists and is not a snapshot of a sandbox, so it is left as it is. Choose another name.`,
    );
}

function checkName(owner: string, file: unknown): void {
  if (typeof file !== "string" || file.trim() === "")
    throw requires(owner, 'the name of a file, such as "fleet.snapshot.json"', file);
  if (!file.isWellFormed() || file.includes(REPLACEMENT))
    throw mistake(
      `${owner} requires the name of a file that is valid Unicode; this one would become another name.`,
    );
}

/** Node writes it into a name for a lone surrogate, and passes it to a program for bytes that are not UTF-8. */
const REPLACEMENT = "\uFFFD";

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw notPossible(file, "read", error);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
    throw notPossible(file, "read", error);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function notPossible(file: string, what: "read" | "written", cause: unknown): TypeError {
  const { code = "no code" } = cause as NodeJS.ErrnoException;
  return new TypeError(`${file} cannot be ${what} (${code}). Choose another name.`, { cause });
}
