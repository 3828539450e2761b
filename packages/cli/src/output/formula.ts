/**
 * Beginnings of cells that a spreadsheet could run as a formula, in both widths of characters. It ignores blanks and invisible
 * characters before one.
 */
const FORMULA = /^(?:['\s\p{Cc}\p{Cf}]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|'*[\t\r])/u;
const NUMBER = /^ *[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Returns a cell that a spreadsheet shows and does not run: one that would be a formula begins with `'`. A number stays a number. */
export function asCell(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Returns what a cell holds that {@link asCell} has written. */
export function ofCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
