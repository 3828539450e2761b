import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { CsvError, parse as parseStream } from "csv-parse";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { CliError } from "../../exit-codes.ts";
import { asCell, ofCell } from "../../output/formula.ts";
import { streamUserFile } from "../../files/user-file.ts";
import { digitsOf } from "./cells.ts";

/** A table as a spreadsheet or another program exports it. Its rows are not kept. */
export interface Sheet {
  readonly file: string;
  readonly header: readonly string[];
  readonly form: SheetForm;
  /** Reads the rows below the header from the file, each time from the first one. */
  readonly rows: () => AsyncGenerator<SheetRow>;
}

/** The format of a table. */
export interface SheetForm {
  readonly delimiter: string;
  /** Whether it begins with a byte order mark, from which a spreadsheet recognizes UTF-8. */
  readonly bom: boolean;
  readonly lineEnd: "\n" | "\r\n";
}

export interface SheetRow {
  /** The line of the file at which the row begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The byte order marks of UTF-16, which the parser reads. */
const UTF_16: ReadonlySet<string> = new Set(["fffe", "feff"]);
const BOM = "\uFEFF";
const USUAL_FORM: SheetForm = { delimiter: ",", bom: false, lineEnd: "\n" };
const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Opens a CSV file with a header. The delimiter is the most frequent one in the header. `shown` is how messages call the file. */
export async function openSheet(path: string, file: string = path): Promise<Sheet> {
  const head = await readHead(path);
  const version = await versionOf(path);
  if (head.subarray(0, 2).toString("latin1") === "PK")
    throw new CliError(`${file} is a spreadsheet. Save it as CSV, and use that file.`);
  const isUtf16 = UTF_16.has(head.subarray(0, 2).toString("hex"));
  const text = head.toString("utf8");
  const [firstLine = ""] = text.split(/\n|\r(?!\0?\n)/, 1);
  const form: SheetForm = {
    delimiter: delimiterOf(firstLine),
    bom: isUtf16 || text.startsWith(BOM),
    // In UTF-16, a zero byte is between the two.
    lineEnd: /\r\0?$/.test(firstLine) ? "\r\n" : "\n",
  };
  const check = async (): Promise<void> => {
    if ((await versionOf(path)) === version) return;
    throw new CliError(`${file} was changed while it was read. Run the same command again.`);
  };
  const rows = async function* (): AsyncGenerator<SheetRow> {
    await check();
    yield* parseRows(path, file, form.delimiter, isUtf16);
    await check();
  };
  for await (const { cells } of rows())
    return { file, header: cells, form, rows: () => after(rows()) };
  throw new CliError(`${file} is empty.`);
}

/** Skips the header. */
async function* after(rows: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  await rows.next();
  yield* rows;
}

/** Returns the first piece of a file, which has its first line. */
async function readHead(path: string): Promise<Buffer> {
  for await (const bytes of streamUserFile(path)) return Buffer.from(bytes);
  return Buffer.alloc(0);
}

async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return [ino, size, mtimeMs].join();
}

/** Tells whether a cell contains an EUI or a key, which a header does not. */
export function isHexadecimal(cell: string): boolean {
  return /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i.test(digitsOf(cell));
}

/** Writes a table. A formula begins with `'`, which {@link openSheet} removes. */
export function writeSheet(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { delimiter, bom, lineEnd }: SheetForm = USUAL_FORM,
): string {
  return stringify([header.map(asCell), ...rows.map((cells) => cells.map(asCell))], {
    delimiter,
    bom,
    record_delimiter: lineEnd,
  });
}

/** Reads the names in a cell, separated by `;`, `,` or `|`. A name that contains a separator is in quotes. */
export function readNames(cell: string): string[] {
  if (cell.trim() === "") return [];
  const [names = []] = parse(cell, { delimiter: [";", ",", "|"], relax_quotes: true, trim: true });
  return [...new Set(names.filter((name) => name !== ""))];
}

/** Writes names into one cell, in the form that {@link readNames} reads. */
export function writeNames(names: readonly string[]): string {
  return stringify([[...names]], { delimiter: ";", quoted_match: /[,|]/ }).trimEnd();
}

function delimiterOf(line: string): string {
  const countOf = (delimiter: string): number => line.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

/** Reads the rows of a file one by one. */
async function* parseRows(
  path: string,
  file: string,
  delimiter: string,
  isUtf16: boolean,
): AsyncGenerator<SheetRow> {
  const lines = countLines();
  const parser = parseStream({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  // The loop below receives its error.
  pipeline(
    readBytes(path, file, isUtf16, (bytes) => lines.add(bytes)),
    parser,
    () => undefined,
  );
  try {
    for await (const each of parser) {
      const { record, info } = each as { record: string[]; info: { bytes: number } };
      const breaks = record.join("").match(/\n/g)?.length ?? 0;
      yield { line: lines.lineAt(info.bytes) - breaks, cells: record.map(ofCell) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CliError(
      `${file} is not a CSV file that can be read: a quote in or before line ${String(error["lines"])} is not closed, or is in the wrong place.`,
    );
  }
}

/** Reads a file that is in UTF-8 or UTF-16. */
async function* readBytes(
  path: string,
  file: string,
  isUtf16: boolean,
  add: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const decoder = isUtf16 ? undefined : new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const bytes of streamUserFile(path)) {
      decoder?.decode(bytes, { stream: true });
      add(bytes);
      yield bytes;
    }
    decoder?.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new CliError(
      `${file} is not in UTF-8, so names would be damaged. Save it as "CSV UTF-8", and use that file.`,
    );
  }
}

/** Counts the lines of a file that is read in pieces. */
function countLines() {
  const [LF, CR] = [0x0a, 0x0d];
  let lineEnd: number | undefined;
  let [line, at, start] = [1, 0, 0];
  /** What is read and not yet counted. It begins at `start`. */
  let bytes = Buffer.alloc(0);
  return {
    add(piece: Uint8Array): void {
      lineEnd ??= piece.includes(LF) ? LF : CR;
      bytes = Buffer.concat([bytes.subarray(at - start), piece]);
      start = at;
    },
    /** Returns the line of the last character before a position that is not a line end. Positions must ascend. */
    lineAt(end: number): number {
      while (end > at && [LF, CR, 0].includes(bytes[end - 1 - start] ?? LF)) end--;
      for (; at < end; at++) if (bytes[at - start] === lineEnd) line++;
      return line;
    },
  };
}
