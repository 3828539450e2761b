// Prints what a benchmark has measured and writes the same to bench/results, so that no other file has to quote figures.
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { basename, join } from "node:path";
import { markdownTable } from "markdown-table";

type Cell = string | number;

const blocks: string[] = [];
const limits: Record<string, Cell>[] = [];
let isMissed = false;

/** Adds a paragraph. */
export function note(text: string): void {
  console.log(`\n${text}\n`);
  blocks.push(text);
}

/** Adds a table with a row for each record. Numbers get two decimals unless they are whole. */
export function table(rows: readonly Readonly<Record<string, Cell>>[]): void {
  const head = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => head.map((name) => format(row[name] ?? "")));
  const text = markdownTable([head, ...lines]);
  console.log(text);
  blocks.push(text);
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
  limits.push({ limit: name, figure, required: text, verdict: isMet ? "met" : "MISSED" });
}

/** Ends the benchmark: prints the limits, writes the results, and fails the process if a limit is missed. */
export function finish(): void {
  note("## Limits");
  table(limits);
  process.exitCode = isMissed ? 1 : 0;
  // A test of a benchmark changes no file.
  if (process.env["VITEST"] !== undefined) return;
  const name = basename(process.argv[1] ?? "", ".ts");
  const machine = `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}`;
  const head = [`# ${name}`, `Written by \`node bench/${name}.ts\`. ${machine}.`];
  const file = join(import.meta.dirname, "..", "results", `${name}.md`);
  writeFileSync(file, `${[...head, ...blocks].join("\n\n")}\n`);
}

function format(cell: Cell): string {
  return typeof cell === "number" && !Number.isInteger(cell) ? cell.toFixed(2) : String(cell);
}
