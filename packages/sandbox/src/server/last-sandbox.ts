import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isLoopback } from "@fieldmesh/core/internal";
import { replaceFile } from "./replace-file.ts";

const PRIVATE = 0o700;
const FOR_OTHERS = 0o077;
const LONGEST_ADDRESS = 200;
/** One for each sandbox, with its process and its port. */
const NAME = /^sandbox-(\d+)-\d*\.txt$/;

/**
 * Stores the address of a sandbox, with its token, for the commands that speak to it. Returns a function that removes the entry.
 *
 * The file is in a folder that only this user can read and write to, so that nobody else can point the commands elsewhere. Where
 * there is no such folder, nothing is stored, and the commands need the option `--sandbox-url`.
 */
export function rememberSandbox(address: string, folder = ownFolder()): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE });
    if (!isPrivate(folder)) return () => {};
    // What sandboxes have left that were killed.
    for (const name of readdirSync(folder))
      if (NAME.test(name) && !isRunning(name)) rmSync(join(folder, name), { force: true });
    const path = join(folder, `sandbox-${process.pid}-${new URL(address).port}.txt`);
    // What was there, a link too, is replaced and never written through.
    replaceFile(path, address);
    return () => rmSync(path, { force: true });
  } catch {
    return () => {};
  }
}

/** Returns the address of the last sandbox that still runs, with a given origin or any. It is on this machine only. */
export function lastSandbox(folder = ownFolder(), origin?: string): string | undefined {
  try {
    if (!isPrivate(folder)) return undefined;
    return readdirSync(folder)
      .filter((name) => NAME.test(name) && isRunning(name))
      .map((name) => ({ path: join(folder, name), stat: lstatSync(join(folder, name)) }))
      .filter(({ stat }) => stat.isFile())
      .toSorted((one, other) => other.stat.mtimeMs - one.stat.mtimeMs)
      .slice(0, origin === undefined ? 1 : undefined)
      .map(({ path }) => new URL(readFileSync(path, "utf8").slice(0, LONGEST_ADDRESS)))
      .filter((url) => isLoopback(url.hostname) && (origin === undefined || url.origin === origin))
      .map((url) => (url.hash === "" ? url.origin : `${url.origin}/${url.hash}`))
      .at(0);
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
