// The files in which measurements write their figures, and which pages read.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packages.ts";

/** How large the runs are whose sizes the documentation states. */
export const SIZES = {
  /** Rows that `npm run bench -- ledger` walks through. */
  ledgerRows: 1_000_000,
  /** Events that `npm run bench -- kills` delivers, and how often it kills receivers meanwhile. */
  killedEvents: 1_500,
  kills: 30,
} as const;

export type Cell = string | number;

/** A table that a program has measured. */
export interface ResultTable {
  /** What it shows, and how it was measured. */
  readonly of: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What a program has measured. */
export interface Results {
  /** Where it was measured, and for the benchmarks also when. */
  readonly machine: string;
  readonly tables: readonly ResultTable[];
  readonly limits?: readonly (readonly [
    limit: string,
    figure: number,
    required: string,
    verdict: "met" | "MISSED",
  ])[];
}

/** Writes a file of results, by its path from the root. */
export function writeResults(file: string, results: Results): void {
  writeFileSync(join(root, file), `${JSON.stringify(results, null, 2)}\n`);
  console.log(`\n${file} is written. Now run: npm run format, npm run generate -- comparison`);
}

/** Returns the table of a file of results whose head begins with these names. Throws if there is none. */
export function resultTable(file: string, ...names: readonly string[]): ResultTable {
  const table = read(file).tables.find(({ head }) =>
    names.every((name, index) => head[index] === name),
  );
  return found(table, file, `table "${names.join(" | ")}"`);
}

/** Returns where and when a file of results was measured. */
export function resultPlace(file: string): string {
  return read(file).machine;
}

/** Returns a cell by the first name of its table, its row and its column. Throws if there is none. */
export function resultCell(file: string, table: string, row: string, column: string): Cell {
  const { head, rows } = resultTable(file, table);
  const cells = rows.find(([name]) => name === row);
  return found(cells?.[head.indexOf(column)], file, `${row}: ${column}`);
}

/** Returns the figure that was compared with a limit. Throws if there is none. */
export function limitedFigure(file: string, limit: string): number {
  const row = read(file).limits?.find(([name]) => name === limit);
  return found(row, file, `limit "${limit}"`)[1];
}

/** Returns a cell as pages show it. Numbers get two decimals unless they are whole. */
export function asText(cell: Cell): string {
  return typeof cell === "number" && !Number.isInteger(cell) ? cell.toFixed(2) : String(cell);
}

function read(file: string): Results {
  return JSON.parse(readFileSync(join(root, file), "utf8")) as Results;
}

function found<Value>(value: Value | undefined, file: string, name: string): Value {
  if (value === undefined) throw new Error(`${file} has no ${name}.`);
  return value;
}
