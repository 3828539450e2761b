/** What a command prints. Results go to stdout, all else to stderr, so that a pipe receives results alone. */
export interface Output {
  /** With `--json`: one object, or NDJSON. */
  readonly isJson: boolean;
  /** stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Prints one record: as a table of two columns, or as JSON. Secrets are hidden unless `--reveal`. */
  record(value: unknown): Promise<void>;
  /** Prints records as they come: as a table with these columns (all fields of the first without), or as NDJSON. */
  records(
    values: AsyncIterable<unknown> | Iterable<unknown>,
    columns?: readonly string[],
  ): Promise<void>;
  /** Prints a line of a result as it is; with `--json` use {@link record}. */
  line(text: string): Promise<void>;
  /** Tells people something on stderr; `--quiet` leaves it out. */
  note(text: string): void;
  /** Starts a progress bar on stderr, which appears after a second, on a terminal alone. */
  progress(what: string, total: number | undefined): Progress;
}

export interface Progress {
  /** So much is done; the facts are shown behind the bar, such as `{ failed: 3 }`. */
  update(done: number, facts?: Readonly<Record<string, number>>): void;
  /** Removes the bar. */
  end(): void;
}
