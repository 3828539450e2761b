import type { CommandOutput } from "@fieldmesh/sandbox/commands";

/**
 * What a command prints. Results go to stdout, all else to stderr, so that a pipe receives results alone. Secrets are hidden unless `--reveal`, and `--quiet` leaves
 * notes out.
 */
export interface Output extends CommandOutput {
  /** stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Starts a progress bar on stderr, which appears after a second, on a terminal alone. */
  progress(what: string, total: number | undefined): Progress;
}

export interface Progress {
  /** So much is done; the facts are shown behind the bar, such as `{ failed: 3 }`. */
  update(done: number, facts?: Readonly<Record<string, number>>): void;
  /** Removes the bar. */
  end(): void;
}
