import { Help } from "commander";
import { padCells } from "../output/cells.ts";

const INDENT = 2;
const GAP = 2;
/** If the column of descriptions is narrower, they begin below their terms. */
const NARROW = 40;
const DEFAULT_WIDTH = 80;

/** Breaks a sentence between words. Its further lines are indented. */
export function wrapText(text: string, columns: number, indent: string): string {
  const help = Object.assign(new Help(), { minWidthToWrap: 1 });
  const width = Math.max(1, columns - indent.length);
  return help.boxWrap(text, width).replaceAll("\n", `\n${indent}`);
}

/** Formats an option, an argument or a command of the help, wrapped at any width. */
export function formatItem(term: string, termWidth: number, about: string, help: Help): string {
  const indent = " ".repeat(INDENT);
  if (about === "") return indent + term;
  const width = help.helpWidth ?? DEFAULT_WIDTH;
  const beside = INDENT + termWidth + GAP;
  const isNarrow = width - beside < NARROW;
  const left = isNarrow ? INDENT + INDENT + INDENT : beside;
  const lines = help.boxWrap(about, Math.max(1, width - left)).split("\n");
  const body = lines.join(`\n${" ".repeat(left)}`);
  if (isNarrow) return `${indent}${term}\n${" ".repeat(left)}${body}`;
  return padCells(indent + term, beside) + body;
}
