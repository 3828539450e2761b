// Prints what a benchmark has measured and writes the same to bench/results, so that no other file has to quote figures.
import { availableParallelism, cpus } from "node:os";
import { basename } from "node:path";
import { markdownTable } from "markdown-table";
import {
  asText,
  type Cell,
  type Results,
  type ResultTable,
  writeResults,
} from "../../tools/results.ts";

const tables: ResultTable[] = [];
const limits: NonNullable<Results["limits"]>[number][] = [];
let notes: string[] = [];
let isMissed = false;

/** Adds a paragraph about the table that follows. */
export function note(text: string): void {
  console.log(`\n${text}\n`);
  notes.push(text);
}

/** Adds a table with a row for each record. Numbers get two decimals unless they are whole. */
export function table(records: readonly Readonly<Record<string, Cell>>[]): void {
  const head = Object.keys(records[0] ?? {});
  const rows = records.map((record) => head.map((name) => rounded(record[name] ?? "")));
  print(head, rows);
  tables.push({ of: notes.join(" "), head, rows });
  notes = [];
}

/** Compares a figure with its limit. */
export function limit(
  name: string,
  figure: number,
  bound: { readonly most: number } | { readonly least: number },
): void {
  const isMet = "most" in bound ? figure <= bound.most : figure >= bound.least;
  isMissed ||= !isMet;
  const text = "most" in bound ? `at most ${bound.most}` : `at least ${bound.least}`;
  limits.push([name, rounded(figure), text, isMet ? "met" : "MISSED"]);
}

/** Ends the benchmark: prints the limits, writes the results, and fails the process if a limit is missed. */
export function finish(): void {
  console.log("\n## Limits\n");
  print(["limit", "figure", "required", "verdict"], limits);
  process.exitCode = isMissed ? 1 : 0;
  // A test of a benchmark changes no file.
  if (process.env["VITEST"] !== undefined) return;
  const name = basename(process.argv[1] ?? "", ".ts");
  const [day = ""] = new Date().toISOString().split("T");
  const machine = `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}, ${day}`;
  writeResults(`bench/results/${name}.json`, { machine, tables, limits });
}

function print(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  console.log(markdownTable([head, ...rows.map((row) => row.map(asText))]));
}

function rounded<Value extends Cell>(cell: Value): Value | number {
  return typeof cell === "number" ? Number(cell.toFixed(2)) : cell;
}
