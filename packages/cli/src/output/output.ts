import type { CommandOutput } from "@fieldmesh/sandbox/internal/commands";

/**
 * What a command prints. Results go to stdout and everything else to stderr, so that a pipe receives only results. Secrets are hidden without `--reveal`, and `--quiet` leaves
 * notes out.
 */
export interface Output extends CommandOutput {
  /** stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Prints a part of a file. A line of a result, such as {@link line}, never has what a terminal would obey; in a pipe, a file is unchanged. */
  file(text: string): Promise<void>;
  /** Starts a progress bar on stderr. It appears after a second, and only on a terminal. */
  progress(what: string, total: number | undefined): Progress;
}

export interface Progress {
  /** Sets how much is done. The counts appear after the bar, such as `{ failed: 3 }`. */
  update(done: number, counts?: Readonly<Record<string, number>>): void;
  /** Removes the bar. */
  end(): void;
}
