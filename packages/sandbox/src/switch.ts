/** An option of a service, or of the whole sandbox, as `npm run generate -- switches` reads it from its doc comment. */
export interface Switch {
  /** Where it is in the options of a sandbox, such as `console.singleCreate`. */
  readonly option: string;
  /** How a command line sets it, without dashes. That of a boolean sets the opposite of the default. */
  readonly flag: string;
  readonly kind: "boolean" | "choice" | "list" | "number";
  /** The values of a choice, or of each item of a list. */
  readonly choices?: readonly string[];
  /** The doc comment, in Markdown. */
  readonly about: string;
  /** `null` is `Infinity`, which JSON does not have. */
  readonly default: boolean | number | string | readonly string[] | null;
  /** What the comment says of the default, such as `ten minutes`. */
  readonly note?: string;
}
