import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { format, parse } from "node:path";
import { writePrivateFile } from "../../files/user-file.ts";
import { writeSheet, type Sheet } from "./sheet.ts";

/** A row that was not imported, and why. */
export interface Failure {
  readonly index: number;
  readonly problem: string;
}

const PROBLEM = "problem";

/** Writes the failed rows with their problems, and returns the file: a new one, because an old one may contain corrections. */
export async function writeFixFile(sheet: Sheet, failures: readonly Failure[]): Promise<string> {
  const old = sheet.header.indexOf(PROBLEM);
  const withoutOld = (cells: readonly string[]): string[] =>
    cells.filter((_, column) => column !== old);
  const rows = failures.map(({ index, problem }) => {
    const { cells = [] } = sheet.rows[index] ?? {};
    const whole = sheet.header.map((_, at) => cells[at] ?? "");
    // Surplus cells come after the problem.
    return [...withoutOld(whole), problem, ...cells.slice(whole.length)];
  });
  const content = writeSheet([...withoutOld(sheet.header), PROBLEM], rows, sheet.form);
  const file = await freeName(sheet.file, content);
  if (!existsSync(file)) writePrivateFile(file, content);
  return file;
}

/** Returns the first name that no file has, or whose file has this content. */
async function freeName(sheet: string, content: string): Promise<string> {
  const { dir, name, ext } = parse(sheet);
  const base = name.replace(/\.fix(\.\d+)?$/, "");
  for (let count = 1; ; count++) {
    const file = format({ dir, name: `${base}.fix${count === 1 ? "" : `.${count}`}`, ext });
    if (!existsSync(file) || (await readFile(file, "utf8")) === content) return file;
  }
}
