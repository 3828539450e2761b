import { isDeepStrictEqual } from "node:util";
import { markdownTable } from "markdown-table";
import type { Case } from "./cases.ts";

/** Returns a page with the table of each family: its rows, and their required results. */
export function rowsPage(cases: readonly Case[]): string {
  const families = Map.groupBy(cases, ({ family }) => family);
  const sections = [...families].flatMap(([family, own]) => [`## ${family}`, familyTable(own)]);
  return ["# Every row of the gauntlet", ...sections].join("\n\n");
}

/** Writes a row for each fault and each result. Faults that follow each other and end in the same way share a row. */
function familyTable(cases: readonly Case[]): string {
  const faults = Map.groupBy(cases, ({ fault }) => fault);
  const rows: string[][] = [];
  for (const [fault, own] of faults) {
    const ends = Map.groupBy(own, ({ sentence, expected }) => sentence ?? expected);
    const before = rows.at(-1);
    const cells = [...ends].map(([end, same]) => [callsOf(same), escape(end)]);
    if (ends.size === 1 && before?.[0] !== "" && isDeepStrictEqual(before?.slice(1), cells[0]))
      before![0] += ` · ${escape(fault)}`;
    else rows.push(...cells.map((each, index) => [index === 0 ? escape(fault) : "", ...each]));
  }
  return markdownTable([["fault", "call", "required result"], ...rows]);
}

/** Names the ways of calling, and only the method if both of its ways are there. */
function callsOf(cases: readonly Case[]): string {
  return [...new Set(cases.map(({ door }) => door))]
    .join(", ")
    .replaceAll(/(GET|POST) request, \1 method/g, "$1");
}

/** A bar ends a cell, and `<head>` would be one. */
export function escape(cell: string): string {
  return cell.replaceAll("|", "/").replaceAll("<", "&lt;").replaceAll("*", "…");
}
