/** A mutant that no test can catch, because the program behaves the same with it. */
export interface Equivalent {
  readonly file: string;
  /** The line of the source, without its indentation. */
  readonly line: string;
  /** The line as the mutant has it, without its indentation; every mutant of the line where it is left out. */
  readonly mutant?: string;
  readonly reason: string;
}

/** They do not count. A row whose line is gone makes the command fail, so that this list stays true. */
export const equivalents: readonly Equivalent[] = [
  {
    file: "packages/core/src/json.ts",
    line: "if (probe + 1 - start >= SHORTEST && BEFORE_INTEGER.test(text.charAt(start - 1))) return true;",
    reason: "Decides only between a quick way and a thorough one with the same result.",
  },
  {
    file: "packages/core/src/json.ts",
    line: "const BEFORE_INTEGER = /^[\\s:,[-]?$/;",
    reason: "It tests one character, so that its anchors change nothing.",
  },
];
