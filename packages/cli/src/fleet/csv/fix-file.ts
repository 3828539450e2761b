import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { format, parse } from "node:path";
import { writePrivateFile } from "../files/private-file.ts";
import { writeSheet, type Sheet } from "./sheet.ts";

/** A row that is not in the console, and why. */
export interface Failure {
  readonly index: number;
  readonly problem: string;
}

const PROBLEM = "problem";

/**
 * Writes the rows that failed, with what is wrong with each, so that they can be corrected and imported. Returns the file's name. A file
 * that is there may have corrections in it, so another name is chosen: `devices.fix.csv`, then `devices.fix.2.csv`.
 */
export async function writeFixFile(sheet: Sheet, failures: readonly Failure[]): Promise<string> {
  const old = sheet.header.indexOf(PROBLEM);
  const withoutOld = (cells: readonly string[]): string[] =>
    cells.filter((_, column) => column !== old);
  const rows = failures.map(({ index, problem }) => {
    const { cells = [] } = sheet.rows[index] ?? {};
    const whole = sheet.header.map((_, at) => cells[at] ?? "");
    // What the row has too much comes behind its problem.
    return [...withoutOld(whole), problem, ...cells.slice(whole.length)];
  });
  const content = writeSheet([...withoutOld(sheet.header), PROBLEM], rows, sheet.form);
  const file = await freeName(sheet.file, content);
  if (!existsSync(file)) await writePrivateFile(file, content);
  return file;
}

/** The first name that no file has, or whose file has this content. */
async function freeName(sheet: string, content: string): Promise<string> {
  const { dir, name, ext } = parse(sheet);
  const base = name.replace(/\.fix(\.\d+)?$/, "");
  for (let count = 1; ; count++) {
    const file = format({ dir, name: `${base}.fix${count === 1 ? "" : `.${count}`}`, ext });
    if (!existsSync(file) || (await readFile(file, "utf8")) === content) return file;
  }
}
