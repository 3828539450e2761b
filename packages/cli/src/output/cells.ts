import { createRequire } from "node:module";

// A terminal shows CJK characters and most emoji in two cells, and a combining mark in none.

const ASCII = /^[\x20-\x7E]*$/;

/** Returns the number of terminal cells that a string takes up. */
export function cellsOf(text: string): number {
  return ASCII.test(text) ? text.length : widthOf(text);
}

/** Loads string-width for the first other string: the tables of Unicode take as long as an empty process. */
function widthOf(text: string): number {
  measure ??= (require("string-width") as { default: Measure }).default;
  return measure(text);
}

type Measure = (text: string) => number;

const require = createRequire(import.meta.url);
let measure: Measure | undefined;

/** Pads a string with spaces to a number of cells. */
export function padCells(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - cellsOf(text)));
}

/** Cuts a plain string to a number of cells, between two characters. A cut one ends with `…`. */
export function cutCells(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  let cut = "";
  let used = 1; // for the ellipsis
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += cellsOf(segment);
    if (used > cells) break;
    cut += segment;
  }
  return cells < 1 ? "" : `${cut}…`;
}

/** Breaks a line between words. Its further lines are indented. A longer word has a line of its own. */
export function wrapCells(line: string, columns: number, indent: string): string {
  if (cellsOf(line) <= columns) return line;
  const lines: string[] = [];
  let current = "";
  for (const [, space = "", word = ""] of line.matchAll(/( *)(\S+(?: *$)?)/g)) {
    const breaks = current.trim() !== "" && cellsOf(current + space + word) > columns;
    if (breaks) lines.push(current);
    current = breaks ? indent + word : current + space + word;
  }
  return [...lines, current].join("\n");
}

/** Breaks a command line between words, so that a shell still runs it: a line that continues ends with a backslash. */
export function wrapCommand(line: string, columns: number, indent: string): string {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    const longer = current === "" ? word : `${current} ${word}`;
    // Two more for the space and the backslash.
    if (current !== "" && indent.length + cellsOf(longer) + 2 > columns) {
      lines.push(current);
      current = `  ${word}`;
    } else current = longer;
  }
  return [...lines, current].map((each) => indent + each).join(" \\\n");
}
