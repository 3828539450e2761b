/** Asks on the terminal. Without a terminal, each question throws a CliError that names the option or variable to use instead. */
export interface Prompt {
  /** stdin and stderr are a terminal, so that it can ask. */
  readonly isTerminal: boolean;
  /** Asks for yes or no. The default is no. */
  confirm(question: string): Promise<boolean>;
  /** Asks for a secret, which is not shown while it is typed. */
  secret(question: string, instead: string): Promise<string>;
}
