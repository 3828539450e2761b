import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { format, parse } from "node:path";
import { whyNotWritten } from "../../files/user-file.ts";
import { writeWhole } from "../files/new-file.ts";
import { writeSheet, type Sheet } from "./sheet.ts";

/** The problems of the rows that were not imported, by their index. */
export type Failures = ReadonlyMap<number, string>;

const PROBLEM = "problem";

/**
 * Writes the failed rows with their problems next to a file, and returns the name: a new one, because an old file may contain
 * corrections.
 */
export async function writeFixFile(
  sheet: Sheet,
  failures: Failures,
  beside: string,
): Promise<string> {
  const { dir, name, ext } = parse(beside);
  // The rows of a JSON file are written as CSV.
  const end = /json/i.test(ext) ? ".csv" : ext;
  const base = name.replace(/\.fix(\.\d+)?$/, "");
  for (let count = 1; ; count++) {
    const file = format({ dir, name: `${base}.fix${count === 1 ? "" : `.${count}`}`, ext: end });
    if (!existsSync(file)) {
      await writeWhole(file, rowsToFix(sheet, failures)).catch((error: unknown) => {
        throw whyNotWritten(file, error);
      });
      return file;
    }
    if ((await hashOf(createReadStream(file))) === (await hashOf(rowsToFix(sheet, failures))))
      return file;
  }
}

async function* rowsToFix(
  { header, form, rows }: Sheet,
  failures: Failures,
): AsyncGenerator<string> {
  const old = header.indexOf(PROBLEM);
  const withoutOld = (cells: readonly string[]): string[] =>
    cells.filter((_, column) => column !== old);
  yield writeSheet([...withoutOld(header), PROBLEM], [], form);
  let index = 0;
  for await (const { cells } of rows()) {
    const problem = failures.get(index++);
    if (problem === undefined) continue;
    const whole = header.map((_, at) => cells[at] ?? "");
    // Surplus cells come after the problem.
    const fixed = [...withoutOld(whole), problem, ...cells.slice(whole.length)];
    yield writeSheet(fixed, [], { ...form, bom: false });
  }
}

async function hashOf(content: AsyncIterable<string | Buffer>): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of content) hash.update(part);
  return hash.digest("hex");
}
