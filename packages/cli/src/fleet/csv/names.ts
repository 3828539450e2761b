import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";

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
