/** What an exit code tells a script. */
export const exitCodes = {
  done: 0,
  /** A service rejected the call, or part of the work failed. */
  failed: 1,
  /** The user has to change the command line, a file, a key or an address. Nothing was sent. */
  usage: 2,
  /** The outcome is unknown: check before you run the command again. */
  unknown: 3,
  /** `verify` found a difference. */
  different: 4,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** A sentence for the user, and the exit code. The message says what to do next and contains no secret. The cause may have a page. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.usage, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
