import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { CliError } from "../../exit-codes.ts";
import { ofCell } from "../../output/formula.ts";
import { isHexadecimal, ofFormula } from "./cells.ts";
import { FORMULA_ERROR } from "./damage.ts";
import { bare, isHeader } from "./field-names.ts";
import type { FileText } from "./file-text.ts";
import { firstRecord, type HeaderLine } from "./header-line.ts";
import type { SheetRow } from "./sheet-row.ts";

/** Reads the rows of a CSV file one by one, without the header. A header that is repeated is not a row, and another header is an error. */
export async function* readCsvRows(
  { file, pieces }: FileText,
  header: HeaderLine,
  namesEui: (name: string) => boolean,
): AsyncGenerator<SheetRow> {
  const lines = countLines(header.line);
  const parser = parse({
    delimiter: header.delimiter,
    info: true,
    relax_column_count: true,
    // A quote inside of a cell, such as in `="0004"`, is a character.
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  // The loop below receives its error.
  pipeline(
    withoutStart(pieces(), Buffer.byteLength(header.above), (bytes) => lines.add(bytes)),
    parser,
    () => undefined,
  );
  let isFirst = true;
  try {
    for await (const each of parser) {
      const { record: read, info } = each as { record: string[]; info: { bytes: number } };
      const isQuoted = header.isQuoted && read.length === 1;
      const record = isQuoted ? firstRecord(read.join(""), header.delimiter) : read;
      const isRepeated = header.isNamed && isSameHeader(record, header.cells);
      const isNoRow = isFirst || isRepeated;
      isFirst = false;
      if (isNoRow || isComment(record, header) || isRule(record, header)) continue;
      const breaks = record.join("").match(/\n/g)?.length ?? 0;
      if (record.some(isTorn)) throw wrongQuote(file, lines.lineAt(info.bytes));
      const line = lines.lineAt(info.bytes) - breaks;
      if (isOtherHeader(record, namesEui)) throw otherHeader(file, line);
      yield { line, cells: record.map(meant) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error["lines"]) + header.line - 1;
    throw wrongQuote(file, line);
  }
}

/** A header that is repeated may be written in another way. */
function isSameHeader(record: readonly string[], header: readonly string[]): boolean {
  const names = (cells: readonly string[]): string => cells.map(bare).join(" ").trimEnd();
  return names(record) !== "" && names(record) === names(header);
}

/** Tells whether a row has the names of other columns, so that the rows below would be read by the wrong ones. */
function isOtherHeader(record: readonly string[], namesEui: (name: string) => boolean): boolean {
  const names = record.filter((cell) => isHeader([cell]));
  return names.length > 1 && record.some(namesEui) && !record.some(isHexadecimal);
}

function otherHeader(file: string, line: number): CliError {
  return new CliError(
    `${file} has the names of other columns in line ${line}. Write the rows from there on into a file of their own, and import both.`,
  );
}

/** Tells whether a cell has parts of two rows, because its quote is closed at the first quote of the next row. */
function isTorn(cell: string): boolean {
  return /^"[^"]*[\r\n]/.test(cell);
}

function wrongQuote(file: string, line: number): CliError {
  return new CliError(
    `${file} is not a CSV file that can be read: a quote in or before line ${line} is not closed, or is in the wrong place.`,
  );
}

/** Tells whether a row is a comment. What a spreadsheet writes in place of a value also begins with `#`. */
function isComment(
  [first = "", ...others]: readonly string[],
  { comment, cells }: HeaderLine,
): boolean {
  if (comment === undefined || !first.startsWith(comment)) return false;
  if (others.length === 0 && cells.length > 1) return true;
  return !FORMULA_ERROR.test(first) && !TOO_WIDE.test(first);
}

/** A number in a column that is too narrow for it. */
const TOO_WIDE = /^#{2,}$/;

/** Tells whether a row is the line below the header of a Markdown table. */
function isRule(record: readonly string[], { delimiter }: HeaderLine): boolean {
  return delimiter === "|" && record.every((cell) => /^:?-*:?$/.test(cell));
}

/** Returns what a cell means that a spreadsheet or this program has kept from being changed. */
export function meant(cell: string): string {
  const inFormula = ofFormula(cell);
  return inFormula === cell ? ofCell(cell) : inFormula;
}

async function* withoutStart(
  pieces: AsyncIterable<Buffer>,
  length: number,
  add: (bytes: Buffer) => void,
): AsyncGenerator<Buffer> {
  let left = length;
  for await (const piece of pieces) {
    const rest = piece.subarray(left);
    left -= piece.length - rest.length;
    add(rest);
    if (rest.length > 0) yield rest;
  }
}

/** Counts the lines of a file that is read in pieces. */
function countLines(first: number) {
  const [LF, CR] = [0x0a, 0x0d];
  let lineEnd: number | undefined;
  let [line, at, start] = [first, 0, 0];
  /** What is read and not yet counted. It begins at `start`. */
  let bytes = Buffer.alloc(0);
  return {
    add(piece: Uint8Array): void {
      if (piece.length > 0) lineEnd ??= piece.includes(LF) ? LF : CR;
      bytes = Buffer.concat([bytes.subarray(at - start), piece]);
      start = at;
    },
    /** Returns the line of the last character before a position that is not a line end. Positions must ascend. */
    lineAt(end: number): number {
      while (end > at && [LF, CR].includes(bytes[end - 1 - start] ?? LF)) end--;
      for (; at < end; at++) if (bytes[at - start] === lineEnd) line++;
      return line;
    },
  };
}
