import type { Readable, Writable } from "node:stream";

/** Where a command line is typed and its output goes: the streams and the environment of the process, or those of a test. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly env: NodeJS.ProcessEnv;
}

type TerminalOutput = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};
