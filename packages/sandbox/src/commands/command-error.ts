/**
 * A sentence for the user of a command line, without a secret in it, and the exit code of the program.
 *
 * @example
 * ```ts
 * if (isCommandError(error)) process.exitCode = error.exitCode;
 * ```
 */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  /** 1 where something failed; 2 where the command line, a file or an address has to be changed first. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A command line, a file or a setting that has to be changed; nothing was sent. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string) {
    super(message, 2);
  }
}

const NAMES = new Set<unknown>(["CommandError", "UsageError"]);

/**
 * Tells whether an error is a {@link CommandError}: its message is for the user. Any other error is a bug.
 *
 * @example
 * ```ts
 * const { run } = await command.load();
 * await run(context, input).catch((error: unknown) => {
 *   if (!isCommandError(error)) throw error;
 *   console.error(error.message);
 * });
 * ```
 */
export function isCommandError(error: unknown): error is CommandError {
  if (typeof error !== "object" || error === null) return false;
  // Not memberOf of core, which the help of a program would load with this file.
  try {
    // By its name and not by its class: there may be two copies of this package.
    return "name" in error && NAMES.has(error.name);
  } catch {
    // A getter or a proxy throws.
    return false;
  }
}
