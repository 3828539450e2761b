/** How a value of the command line is read. */
export type Kind = "string" | "strings" | "integer" | "number" | "boolean";

/** A field of the input. */
export interface CommandField {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  /** Where it is an option, how its value is read. */
  readonly kind?: Kind;
  readonly choices?: readonly string[];
  /** The word `null` is null. */
  readonly nullable?: boolean;
  /** Is in no option, because other users of the machine can read a command line. */
  readonly secret?: boolean;
}

/** A row as a command. */
export interface RowCommand {
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly writes?: boolean;
  /** The method returns a pager. */
  readonly paged?: boolean;
  /** The method returns several records. */
  readonly list?: boolean;
  /** The input may have more fields than these. */
  readonly open?: boolean;
  /** What to say if nothing matches. */
  readonly absent?: string;
  readonly fields: readonly CommandField[];
  /** A command line, with the values of the row's sample. */
  readonly example: string;
}
