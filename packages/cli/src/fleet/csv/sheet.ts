import { stringify } from "csv-stringify/sync";
import { CliError } from "../../exit-codes.ts";
import { asCell } from "../../output/formula.ts";
import { isCalled, isPosition, splitEntry } from "./columns.ts";
import { isFieldName } from "./field-names.ts";
import { meant, readCsvRows } from "./csv-rows.ts";
import { openText, type FileText } from "./file-text.ts";
import { findHeader } from "./header-line.ts";
import { isJson, readJsonHeader, readJsonRows } from "./json-rows.ts";
import type { SheetRow } from "./sheet-row.ts";

export type { SheetRow } from "./sheet-row.ts";

/** A table as a spreadsheet or another program exports it. Its rows are not kept. */
export interface Sheet {
  readonly file: string;
  /** Whether each row is an object, which is a device. */
  readonly isJson: boolean;
  readonly header: readonly string[];
  /** The line of the header. JSON has none. */
  readonly headerLine: number;
  /** The sign of lines that are not read. */
  readonly comment: string | undefined;
  /** How its rows are written, as CSV. */
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

const USUAL_FORM: SheetForm = { delimiter: ",", bom: false, lineEnd: "\n" };

/** Opens a file of devices: CSV with a header, JSON or NDJSON. `shown` is how messages call it, and `map` has the entries of `--map`. */
export async function openSheet(
  path: string,
  shown: string = path,
  map: readonly string[] = [],
): Promise<Sheet> {
  const text = await openText(path, shown);
  const mapped = map
    .map(splitEntry)
    .filter((entry) => entry !== undefined)
    .filter(({ name, field }) => field === "dev_eui" && !isPosition(name));
  const namesEui = (column: string): boolean =>
    isFieldName(column, "dev_eui") || mapped.some(({ name }) => isCalled(column, name));
  return isJson(text.head) ? await openJson(text, namesEui) : openCsv(text, namesEui);
}

async function openJson(text: FileText, namesEui: (name: string) => boolean): Promise<Sheet> {
  const found = await readJsonHeader(text, namesEui);
  const { header } = found;
  if (header.length === 0)
    throw new CliError(
      `${text.file} has no devices. Write an array of objects, such as [{"dev_eui": "0004A30B001C0530"}].`,
    );
  return {
    file: text.file,
    isJson: true,
    header,
    headerLine: 1,
    comment: undefined,
    form: USUAL_FORM,
    rows: () => readJsonRows(text, found, namesEui),
  };
}

function openCsv(text: FileText, namesEui: (name: string) => boolean): Sheet {
  const found = findHeader(text.head, namesEui);
  if (found === undefined) throw new CliError(`${text.file} is empty.`);
  const { cells, line, comment, delimiter, lineEnd } = found;
  return {
    file: text.file,
    isJson: false,
    header: cells.map(meant),
    headerLine: line,
    comment,
    form: { delimiter, bom: text.bom, lineEnd },
    rows: () => readCsvRows(text, found, namesEui),
  };
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
