import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Where the sandbox that was started last by this user says its address; it holds nothing else. */
const file = (): string => join(tmpdir(), `fieldmesh-sandbox-${userInfo().username}.txt`);

/** Writes down where a sandbox listens; gives what takes that back. */
export function rememberSandbox(origin: string): () => void {
  try {
    writeFileSync(file(), origin, { mode: 0o600 });
  } catch {
    // Without it, commands need to be told the address.
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
