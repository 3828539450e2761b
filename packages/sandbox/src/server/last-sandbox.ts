import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isLoopback } from "@fieldmesh/core";

const PRIVATE = 0o700;
const FOR_OTHERS = 0o077;
const LONGEST_ORIGIN = 100;
/** One for each sandbox, with its process and its port. */
const NAME = /^sandbox-(\d+)-\d*\.txt$/;

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
    // What sandboxes have left that were killed.
    for (const name of readdirSync(folder))
      if (NAME.test(name) && !isRunning(name)) rmSync(join(folder, name), { force: true });
    // Renamed into place: what was there, a link too, is replaced and never written through.
    const name = `${process.pid}-${new URL(origin).port}.txt`;
    const [written, path] = [join(folder, `new-${name}`), join(folder, `sandbox-${name}`)];
    writeFileSync(written, origin, { mode: 0o600 });
    renameSync(written, path);
    return () => rmSync(path, { force: true });
  } catch {
    return () => {};
  }
}

/** Where the sandbox listens that was started last, of those that still run; an address of this machine only. */
export function lastSandbox(folder = ownFolder()): string | undefined {
  try {
    if (!isPrivate(folder)) return undefined;
    const [last] = readdirSync(folder)
      .filter((name) => NAME.test(name) && isRunning(name))
      .map((name) => ({ path: join(folder, name), stat: lstatSync(join(folder, name)) }))
      .filter(({ stat }) => stat.isFile())
      .toSorted((one, other) => other.stat.mtimeMs - one.stat.mtimeMs);
    if (last === undefined) return undefined;
    const { origin, hostname } = new URL(readFileSync(last.path, "utf8").slice(0, LONGEST_ORIGIN));
    return isLoopback(hostname) ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether the process of a file still runs. */
function isRunning(name: string): boolean {
  try {
    return process.kill(Number(NAME.exec(name)?.[1]), 0);
  } catch {
    return false;
  }
}

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
