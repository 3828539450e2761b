import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isPipe } from "@fieldmesh/sandbox/internal";
import { ONLY_THIS_USER, streamUserFile } from "../../files/user-file.ts";

/** A file that a command reads, and next to which it writes. */
export interface Source {
  readonly path: string;
  /** How messages call it. */
  readonly shown: string;
  /** The name next to which the rows to fix are written. */
  readonly beside: string;
  /** It came from a stream, which cannot be read a second time. */
  readonly isCopy: boolean;
  /** Removes the copy of a stream. */
  discard(): Promise<void>;
}

/**
 * Opens a file. Standard input and other streams are copied into a temporary file of mode 0600, because they may contain keys and
 * can be read once.
 */
export async function openSource(
  file: string,
  { stdin, signal }: { readonly stdin: Readable; readonly signal: AbortSignal },
): Promise<Source> {
  const isStdin = STDIN.has(file);
  if (!isStdin && !file.startsWith("/dev/") && !(await isPipe(file)))
    return {
      path: file,
      shown: file,
      beside: file,
      isCopy: false,
      discard: async () => undefined,
    };
  const content = isStdin ? stdin : streamUserFile(file, signal);
  const folder = await mkdtemp(join(tmpdir(), "fieldmesh-"));
  const path = join(folder, COPY);
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const copy = createWriteStream(path, { mode: ONLY_THIS_USER, flags: "wx" });
    await pipeline(content, copy, { signal });
  } catch (error) {
    await discard();
    throw signal.aborted ? signal.reason : error;
  }
  return { path, shown: isStdin ? "stdin" : file, beside: COPY, isCopy: true, discard };
}

const COPY = "stdin.csv";

/** The names of standard input, which may be a socket, and then cannot be opened a second time. */
const STDIN: ReadonlySet<string> = new Set(["-", "/dev/stdin", "/dev/fd/0"]);
