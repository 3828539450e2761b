/** The target of output: process.stdout, process.stderr, or a recorder of a test. */
export interface Sink {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string, written: (error?: Error | null) => void): unknown;
}

/** The reader of a pipe has ended, as `head` does. This is not a failure. */
export class ClosedPipeError extends Error {
  override readonly name = "ClosedPipeError";
}

/** Writes the string and waits until it is written, so that a slow reader slows the command. */
export function writeTo(sink: Sink, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => {
      if (error === undefined || error === null) resolve();
      else reject(isClosedPipe(error) ? new ClosedPipeError() : error);
    });
  });
}

/** Tells whether the reader of a pipe has ended. */
export function isClosedPipe(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}
