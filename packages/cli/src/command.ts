// Why it is so: docs/decisions/28-a-command-is-a-row.md
import type {
  CommandArgument,
  CommandExample as Example,
  CommandInput as Input,
  CommandOption as Option,
  SandboxCommand,
} from "@fieldmesh/sandbox/internal/commands";
import type { Clients, Context } from "./context.ts";

// The commands of the sandbox are commands here too, so both have the same types.
export type { Example, Input, Option };

/** A command as data. Help, completion and the program use it. Its code is loaded when it runs. */
export interface Command extends Omit<SandboxCommand, "name" | "arguments" | "load"> {
  /** The words that call it, such as `devices import`. */
  readonly path: string;
  readonly arguments?: readonly Argument[];
  /** Asks on a terminal before it runs, unless `--yes` is set. */
  readonly writes?: boolean;
  /** The service that it calls, or how to tell from its input. Its address is printed first. */
  readonly calls?: keyof Clients | ((input: Input) => keyof Clients | undefined);
  /** With `--sandbox`, the console has neither devices nor labels at first. */
  readonly startsEmpty?: boolean;
  /** Requires `--yes` without a terminal, because it changes many things. The command itself asks. */
  readonly needsYes?: boolean;
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** Runs a command. Throws a {@link CliError} for anything that the user can correct. */
export type Run = (context: Context, input: Input) => Promise<void>;

/** An argument of a command. */
export interface Argument extends CommandArgument {
  readonly choices?: readonly string[];
  /** Options that may be typed instead of it, beside the one of its own name, such as `device-id`. */
  readonly aliases?: readonly string[];
}
