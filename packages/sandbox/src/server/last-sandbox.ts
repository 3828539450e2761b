import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** The file with the address of the sandbox that this user started last; it holds nothing else. */
const file = (): string => join(tmpdir(), `fieldmesh-sandbox-${userInfo().username}.txt`);

/** Stores where a sandbox listens; returns a function that removes the entry. */
export function rememberSandbox(origin: string): () => void {
  try {
    writeFileSync(file(), origin, { mode: 0o600 });
  } catch {
    // Without it, commands need the option --sandbox.
  }
  return () => {
    if (lastSandbox() === origin) rmSync(file(), { force: true });
  };
}

/** Where the sandbox listens that was started last, if it has not ended. */
export function lastSandbox(): string | undefined {
  try {
    return readFileSync(file(), "utf8");
  } catch {
    return undefined;
  }
}
