import { CommandError } from "@fieldmesh/sandbox/internal/commands";

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

/** An error of a command of this program. Those of the sandbox's commands are {@link CommandError}s too. */
export class CliError extends CommandError {
  override readonly name = "CliError";

  constructor(message: string, exitCode: number = exitCodes.usage, options?: ErrorOptions) {
    super(message, exitCode, options);
  }
}
