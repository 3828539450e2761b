import { parse } from "csv-parse/sync";
import { isHexadecimal } from "./cells.ts";
import { isFieldName, isHeader } from "./field-names.ts";

/** Where the header of a CSV file is. */
export interface HeaderLine {
  readonly cells: readonly string[];
  /** Whether it names a column of EUIs. Otherwise, it may be a device. */
  readonly isNamed: boolean;
  /** Whether each line is one cell in quotes, which has the cells of the row. */
  readonly isQuoted: boolean;
  /** Its line, counted from 1. */
  readonly line: number;
  /** What is above it, and its own comment sign. */
  readonly above: string;
  readonly delimiter: string;
  readonly lineEnd: "\n" | "\r\n";
  /** The sign that begins a comment above the header. It begins comments below it, too. */
  readonly comment: string | undefined;
}

/** Lines among which the header may be. */
const SEARCHED = 20;
/** A comment sign. A column may be called `#`. */
const COMMENT = /^\s*(#|\/\/|--|%)[#/%-]*[ \t]*(?![,;|\t])/;
const SEPARATOR_LINE = /^"?sep=(.)"?\s*$/i;
const DELIMITERS = [",", ";", "\t", "|"] as const;

/**
 * Finds the header: the first line that names a column of EUIs. Otherwise it is the line above the first device with the most names, or
 * the first line that is not a comment. A device ends the search, because what is above a header is not read. Returns `undefined` for
 * an empty file.
 */
export function findHeader(
  head: string,
  namesEui: (name: string) => boolean,
): HeaderLine | undefined {
  let first: HeaderLine | undefined;
  let mostNames: HeaderLine | undefined;
  let chosen: string | undefined;
  let comment: string | undefined;
  let above = 0;
  for (const [at, line] of linesOf(head).entries()) {
    const sign = isHexadecimal(line) ? null : COMMENT.exec(line);
    const separator = SEPARATOR_LINE.exec(line.trimEnd())?.[1];
    comment ??= sign?.[1];
    chosen ??= separator;
    const start = above + (sign?.[0].length ?? 0);
    const delimiter = chosen ?? delimiterOf(line);
    const record = firstRecord(head.slice(start), delimiter);
    const inQuotes = record.length === 1 ? firstRecord(record.join(""), delimiter) : [];
    const isQuoted = inQuotes.length > 1 && inQuotes.some(namesEui);
    const cells = isQuoted ? inQuotes : record;
    const isNamed = cells.some(namesEui);
    const found: HeaderLine = {
      cells,
      isNamed,
      isQuoted,
      line: at + 1,
      above: head.slice(0, start),
      delimiter,
      lineEnd: line.endsWith("\r\n") ? "\r\n" : "\n",
      comment,
    };
    if (isNamed) return found;
    if (sign === null) {
      if (separator === undefined && line.trim() !== "") first ??= found;
      if (isDevice(cells)) return first && { ...(mostNames ?? first), comment };
      if (countNames(cells) > Math.max(1, countNames(mostNames?.cells ?? []))) mostNames = found;
    }
    above += line.length;
  }
  return first && { ...first, comment };
}

/** A single cell with the name of its field, such as `AppEUI: 70B3…`, is of all devices below. */
function isDevice(cells: readonly string[]): boolean {
  const [name = "", ...more] = cells.filter((cell) => cell !== "").flatMap(splitField);
  const isOfAll =
    more.length === 1 &&
    (["app_eui", "app_key"] as const).some((field) => isFieldName(name, field));
  return cells.some(isHexadecimal) && !isHeader(cells) && !isOfAll;
}

function splitField(cell: string): string[] {
  return /^([^:=]*)[:=](.*)$/s.exec(cell)?.slice(1) ?? [cell];
}

/** Counts the cells of a line that may be a header: it has a known name, or no digits as a device has. */
function countNames(cells: readonly string[]): number {
  if (cells.some(isHexadecimal)) return 0;
  return isHeader(cells) || !cells.some((cell) => /\d{2}/.test(cell))
    ? cells.filter((cell) => cell !== "").length
    : 0;
}

/** Returns the lines, each with its end. */
function linesOf(head: string): string[] {
  return (head.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []).slice(0, SEARCHED);
}

/** Reads the record that begins a string. It may have several lines. */
export function firstRecord(content: string, delimiter: string): string[] {
  try {
    const [record = []] = parse(content, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      to: 1,
      trim: true,
    });
    return record;
  } catch {
    // A quote of a title is not closed.
    return [];
  }
}

/** Returns the most frequent delimiter. An array of C is one cell. */
function delimiterOf(line: string): string {
  if (line.includes(",") && isHexadecimal(line)) return "\t";
  const countOf = (delimiter: string): number => line.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}
