const BRAND = Symbol.for("@fieldmesh/command-error");

/**
 * An error for the user of a command line: a message without secrets, and the exit code of the program. Any other error of a
 * command is a bug.
 *
 * @example
 * ```ts
 * const { run } = await command.load();
 * await run(context, input).catch((error: unknown) => {
 *   if (!(error instanceof CommandError)) throw error;
 *   console.error(error.message);
 *   process.exitCode = error.exitCode;
 * });
 * ```
 */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  /** 1 if something failed; 2 if the user has to change the command line, a file or an address. */
  readonly exitCode: number;

  /** `instanceof` also matches an error from another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass does not have this brand to itself.
    return this === CommandError ? isBranded(value) : super[Symbol.hasInstance](value);
  }

  /** If `cause` has a page in the documentation, a program prints its address. */
  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

// This does not use FieldmeshError of core, because the help of a program would load core too.
function isBranded(value: unknown): boolean {
  try {
    return typeof value === "object" && value !== null && BRAND in value;
  } catch {
    // A proxy throws.
    return false;
  }
}

/** The user has to change the command line, a file or a setting. Nothing was sent. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string) {
    super(message, 2);
  }
}

/** Returns the error for the user if a server cannot listen; `undefined` for any other error. */
export function listenFailure(error: unknown): UsageError | undefined {
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  switch (code) {
    case "EADDRINUSE":
      return new UsageError(
        `Port ${port} is in use. Choose another one; --port 0 is any free one.`,
      );
    case "EACCES":
      return new UsageError(`Port ${port} needs special permission. Choose one from 1024 up.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new UsageError(
        `${address ?? "That"} is not an address of this machine. Choose another --host.`,
      );
    default:
      return undefined;
  }
}
