import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { readStream } from "../../files/read-stream.ts";
import { readError } from "../../files/user-file.ts";

/** A file that a command reads, and next to which it writes. */
export interface Source {
  readonly path: string;
  /** How messages call it. The rows to fix are written next to this name. */
  readonly shown: string;
  /** It came from a stream, which cannot be read a second time. */
  readonly isCopy: boolean;
  /** Removes the copy of a stream. */
  discard(): Promise<void>;
}

/**
 * Opens a file. Standard input and other streams are read whole, and then copied into a temporary file of mode 0600, because they may
 * contain keys.
 */
export async function openSource(
  file: string,
  { stdin, signal }: { readonly stdin: Readable; readonly signal: AbortSignal },
): Promise<Source> {
  if (!(await isStream(file)))
    return { path: file, shown: file, isCopy: false, discard: async () => undefined };
  const stream = file === "-" ? stdin : createReadStream(file);
  const content = await readStream(stream, signal).catch((error: unknown) => {
    throw signal.aborted ? error : readError(file, error);
  });
  const folder = await mkdtemp(join(tmpdir(), "fieldmesh-"));
  const path = join(folder, "stdin.csv");
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(path, content, { mode: 0o600, flag: "wx" });
    signal.throwIfAborted();
  } catch (error) {
    await discard();
    throw error;
  }
  return { path, shown: "stdin.csv", isCopy: true, discard };
}

async function isStream(file: string): Promise<boolean> {
  if (file === "-" || file.startsWith("/dev/")) return true;
  return await stat(file).then(
    (found) => found.isFIFO(),
    () => false,
  );
}
