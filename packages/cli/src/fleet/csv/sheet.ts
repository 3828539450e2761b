import { isUtf8 } from "node:buffer";
import { CsvError, parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { CliError } from "../../exit-codes.ts";
import { asCell, ofCell } from "../../output/formula.ts";
import { readUserFile } from "../../files/user-file.ts";

/** A table as a spreadsheet or another program exports it. */
export interface Sheet {
  readonly file: string;
  readonly header: readonly string[];
  readonly form: SheetForm;
  readonly rows: readonly SheetRow[];
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

/** Reads a CSV file with a header. The delimiter is the most frequent one in the header. `shown` is how messages call the file. */
export async function readSheet(path: string, file: string = path): Promise<Sheet> {
  const content = await readUserFile(path);
  if (content.subarray(0, 2).toString("latin1") === "PK")
    throw new CliError(`${file} is a spreadsheet. Save it as CSV, and use that file.`);
  const isUtf16 = UTF_16.has(content.subarray(0, 2).toString("hex"));
  if (!isUtf8(content) && !isUtf16)
    throw new CliError(
      `${file} is not in UTF-8, so names would be damaged. Save it as "CSV UTF-8", and use that file.`,
    );
  const text = content.toString("utf8");
  const [firstLine = ""] = text.split("\n", 1);
  const delimiter = delimiterOf(firstLine);
  const [header, ...rows] = parseRows(file, content, delimiter);
  if (header === undefined) throw new CliError(`${file} is empty.`);
  const form: SheetForm = {
    delimiter,
    bom: isUtf16 || text.startsWith(BOM),
    // In UTF-16, a zero byte is between the two.
    lineEnd: /\r\0?$/.test(firstLine) ? "\r\n" : "\n",
  };
  return { file, header: header.cells, form, rows };
}

/** Tells whether a cell contains an EUI or a key, which a header does not. */
export function isHexadecimal(cell: string): boolean {
  return /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i.test(compact(cell));
}

/** Removes the separators with which EUIs and keys are often written. */
export function compact(cell: string): string {
  return cell.replaceAll(/[-:._\s]/g, "").replace(/^0x(?=.)/i, "");
}

/** Writes a table. A formula begins with `'`, which {@link readSheet} removes. */
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

function parseRows(file: string, content: Buffer, delimiter: string): SheetRow[] {
  try {
    const records = parse(content, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as { record: string[]; info: { bytes: number } }[];
    const lineAt = countLines(content);
    return records.map(({ record, info }) => {
      const breaks = record.join("").match(/\n/g)?.length ?? 0;
      return { line: lineAt(info.bytes) - breaks, cells: record.map(ofCell) };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CliError(
      `${file} is not a CSV file that can be read: a quote in or before line ${String(error["lines"])} is not closed, or is in the wrong place.`,
    );
  }
}

/** Returns a function from positions to lines: that of the last character before the position that is not a line end. Positions must ascend. */
function countLines(content: Buffer): (end: number) => number {
  const [LF, CR] = [0x0a, 0x0d];
  const lineEnd = content.includes(LF) ? LF : CR;
  let [line, at] = [1, 0];
  return (end) => {
    while (end > at && [LF, CR, 0].includes(content[end - 1] ?? LF)) end--;
    for (; at < end; at++) if (content[at] === lineEnd) line++;
    return line;
  };
}
