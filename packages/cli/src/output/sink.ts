/** Where output is written: process.stdout or process.stderr, or what a test records. */
export interface Sink {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string, written: (error?: Error | null) => void): unknown;
}

/** The reader of a pipe has ended, as `head` does: there is nothing left to do, and nothing went wrong. */
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
