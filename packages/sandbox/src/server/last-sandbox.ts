import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isLoopback } from "@fieldmesh/core";

const PRIVATE = 0o700;
const FOR_OTHERS = 0o077;
const LONGEST_ORIGIN = 100;

/**
 * Stores where a sandbox listens, for the commands that speak to it; returns a function that removes the entry.
 *
 * The file is in a folder that only this user can write to, so that nobody else can point the commands elsewhere. Where
 * there is no such folder, nothing is stored, and the commands need the option `--sandbox`.
 */
export function rememberSandbox(origin: string, folder = ownFolder()): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE });
    if (!isPrivate(folder)) return () => {};
    // Renamed into place: what was there, a link too, is replaced and never written through.
    const written = join(folder, `sandbox-${process.pid}.txt`);
    writeFileSync(written, origin, { mode: 0o600 });
    renameSync(written, join(folder, NAME));
  } catch {
    return () => {};
  }
  return () => {
    if (lastSandbox(folder) === origin) rmSync(join(folder, NAME), { force: true });
  };
}

/** Where the sandbox listens that was started last, if it has not ended; an address of this machine only. */
export function lastSandbox(folder = ownFolder()): string | undefined {
  const path = join(folder, NAME);
  try {
    if (!isPrivate(folder) || !lstatSync(path).isFile()) return undefined;
    const { origin, hostname } = new URL(readFileSync(path, "utf8").slice(0, LONGEST_ORIGIN));
    return isLoopback(hostname) ? origin : undefined;
  } catch {
    return undefined;
  }
}

const NAME = "sandbox.txt";

/** XDG_RUNTIME_DIR is a user's own folder that ends with the session; where there is none, the cache at home. */
function ownFolder(): string {
  const runtime = process.env["XDG_RUNTIME_DIR"];
  return runtime ? join(runtime, "fieldmesh") : join(homedir(), ".cache", "fieldmesh");
}

/** A real folder, of this user, and closed to all others. Windows has no modes: a home folder there is private. */
function isPrivate(folder: string): boolean {
  const found = lstatSync(folder);
  if (!found.isDirectory()) return false;
  const user = process.getuid?.();
  return user === undefined || (found.uid === user && (found.mode & FOR_OTHERS) === 0);
}
