import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { markdownTable } from "markdown-table";
import { programVersion } from "../parts/program.ts";
import { countRows } from "./print.ts";
import type { Result } from "./run-cases.ts";

export const PAGE = join(import.meta.dirname, "../../docs/project/gauntlet.md");

/** Replaces the part of the page between two marks. */
export function writePart(name: "rows" | "peers", lines: readonly string[]): void {
  const [begin, end] = [`<!-- ${name}: written by npm run gauntlet -->`, `<!-- end of ${name} -->`];
  const page = readFileSync(PAGE, "utf8");
  const [before = "", rest = ""] = page.split(begin);
  const [, after = ""] = rest.split(end);
  writeFileSync(PAGE, `${before}${begin}\n\n${lines.join("\n\n")}\n\n${end}${after}`);
}

/** Writes the table of each family: the required result of each row, and whether it was reached. */
export function rowLines(results: readonly Result[]): string[] {
  const passed = results.filter((result) => result.passed).length;
  const versions = [
    `Node ${process.versions.node}`,
    programVersion("nginx"),
    programVersion("haproxy"),
  ];
  const families = Map.groupBy(results, ({ of }) => of.family);
  return [
    `${countRows(results)} rows, ${results.length} calls, ${passed} of them ended as required. ${versions.join(", ")}.`,
    ...[...families].flatMap(([family, own]) => [
      `### ${family}`,
      `<details><summary>${countRows(own)} rows, ${own.length} calls</summary>`,
      familyTable(own),
      "</details>",
    ]),
  ];
}

/** Faults of one row of a table are joined by it. */
export const AND = " · ";

/** Writes a row for each fault and each result. Faults that follow each other and end in the same way share a row. */
function familyTable(results: readonly Result[]): string {
  const faults = Map.groupBy(results, ({ of }) => of.fault);
  const rows: string[][] = [];
  for (const [fault, own] of faults) {
    const ends = Map.groupBy(
      own,
      ({ of, passed }) => `${passed ? "" : "NOT: "}${of.sentence ?? of.expected}`,
    );
    const before = rows.at(-1);
    const cells = [...ends].map(([end, same]) => [callsOf(same), escape(end)]);
    if (ends.size === 1 && before?.[0] !== "" && isDeepStrictEqual(before?.slice(1), cells[0]))
      before![0] += AND + escape(fault);
    else rows.push(...cells.map((each, index) => [index === 0 ? escape(fault) : "", ...each]));
  }
  return markdownTable([["fault", "call", "required result"], ...rows]);
}

/** Names the ways of calling, and only the method if both of its ways are there. */
function callsOf(results: readonly Result[]): string {
  return [...new Set(results.map(({ of }) => of.door))]
    .join(", ")
    .replaceAll(/(GET|POST) request, \1 method/g, "$1");
}

/** A bar ends a cell, and `<head>` would be one. */
export function escape(cell: string): string {
  return cell.replaceAll("|", "/").replaceAll("<", "&lt;").replaceAll("*", "…");
}
