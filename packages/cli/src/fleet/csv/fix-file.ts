import { format, parse } from "node:path";
import { writePrivateFile } from "../files/private-file.ts";
import { writeSheet, type Sheet } from "./sheet.ts";

/** A row that is not in the console, and why. */
export interface Failure {
  readonly index: number;
  readonly problem: string;
}

const PROBLEM = "problem";

/** Writes the rows that failed, with what is wrong with each, so that they can be corrected and imported. Returns the file's name. */
export async function writeFixFile(sheet: Sheet, failures: readonly Failure[]): Promise<string> {
  const { dir, name, ext } = parse(sheet.file);
  const file = format({ dir, name: name.endsWith(".fix") ? name : `${name}.fix`, ext });
  const old = sheet.header.indexOf(PROBLEM);
  const withoutOld = (cells: readonly string[]): string[] =>
    cells.filter((_, column) => column !== old);
  const width = sheet.header.length;
  const rows = failures.map(({ index, problem }) => {
    const cells = Array.from({ length: width }, (_, at) => sheet.rows[index]?.cells[at] ?? "");
    return [...withoutOld(cells), problem];
  });
  await writePrivateFile(
    file,
    writeSheet([...withoutOld(sheet.header), PROBLEM], rows, sheet.delimiter),
  );
  return file;
}
