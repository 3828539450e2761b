import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { programVersion } from "../parts/program.ts";
import { countRows } from "./print.ts";
import type { Result } from "./run-cases.ts";

export const PAGE = join(import.meta.dirname, "../../docs/guides/gauntlet.md");

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

/** Writes a row for each fault and a column for each way of calling. GET and POST have one column each if both ways have the same result. */
function familyTable(results: readonly Result[]): string {
  const faults = Map.groupBy(results, ({ of }) => of.fault);
  const lines = [...faults].flatMap(([fault, own]) => {
    const ends = Map.groupBy(
      own,
      ({ of, passed }) => `${passed ? "" : "NOT: "}${of.sentence ?? of.expected}`,
    );
    return [...ends].map(([end, same], index) => [
      index === 0 ? escape(fault) : "",
      [...new Set(same.map(({ of }) => of.door))]
        .join(", ")
        .replaceAll(/(GET|POST) request, \1 method/g, "$1"),
      escape(end),
    ]);
  });
  return markdownTable([["fault", "call", "required result"], ...lines]);
}

/** A bar ends a cell, and `<head>` would be one. */
export function escape(cell: string): string {
  return cell.replaceAll("|", "/").replaceAll("<", "&lt;").replaceAll("*", "…");
}
