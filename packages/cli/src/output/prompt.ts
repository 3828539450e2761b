/** Asks on the terminal. Without one, each question throws a CliError that names the option or variable to use instead. */
export interface Prompt {
  /** stdin and stderr are a terminal, so that it can ask. */
  readonly isTerminal: boolean;
  /** Yes or no; no is the default. */
  confirm(question: string): Promise<boolean>;
  /** A secret, which is not shown while it is typed. */
  secret(question: string, instead: string): Promise<string>;
}
