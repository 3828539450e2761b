/**
 * An error for the user of a command line: a message without secrets, and the exit code of the program.
 *
 * @example
 * ```ts
 * if (isCommandError(error)) process.exitCode = error.exitCode;
 * ```
 */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  /** 1 if something failed; 2 if the user has to change the command line, a file or an address. */
  readonly exitCode: 1 | 2;

  /** If `cause` has a page in the documentation, a program prints its address. */
  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The user has to change the command line, a file or a setting. Nothing was sent. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string) {
    super(message, 2);
  }
}

const NAMES = new Set<unknown>(["CommandError", "UsageError"]);

/**
 * Tells whether an error is a {@link CommandError}, whose message is for the user. Any other error is a bug.
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
  // This does not use memberOf of core, because the help of a program would load core too.
  try {
    // Compares the name instead of the class, because there may be two copies of this package.
    return "name" in error && NAMES.has(error.name);
  } catch {
    // A getter or a proxy throws.
    return false;
  }
}
