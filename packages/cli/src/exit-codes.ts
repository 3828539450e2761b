/** What a script can tell from the exit code. */
export const exitCodes = {
  done: 0,
  /** A service rejected the call, or part of the work failed. */
  failed: 1,
  /** The command line, a file, a key or an address has to be changed first; nothing was sent. */
  usage: 2,
  /** Nobody can tell whether it was done: look before you run it again. */
  unknown: 3,
  /** `verify` found a difference. */
  different: 4,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** A sentence for the user, and the exit code. The message tells what to do next and holds no secret. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
