import { type Results, writeResults } from "../../tools/results.ts";
import { programVersion } from "../parts/program.ts";
import { countRows } from "./print.ts";
import type { Result } from "./run-cases.ts";

/** The files that hold the figures of the page about the gauntlet. */
export const FILES = {
  rows: "gauntlet/results/rows.json",
  peers: "gauntlet/results/peers.json",
} as const;

/** Writes tables into one of them. */
export function writeTables(file: keyof typeof FILES, tables: Results["tables"]): void {
  const versions = [
    `Node ${process.versions.node}`,
    programVersion("nginx"),
    programVersion("haproxy"),
  ];
  writeResults(FILES[file], { machine: versions.join(", "), tables });
}

/** Counts the rows and calls of each family, and those that ended as required. */
export function familyCounts(results: readonly Result[]): Results["tables"][number] {
  const families = Map.groupBy(results, ({ of }) => of.family);
  return {
    of: "The rows of each family, and how many of their calls ended as required.",
    head: ["family", "rows", "calls", "ended as required"],
    rows: [...families, ["all", results] as const].map(([family, own]) => [
      family,
      countRows(own),
      own.length,
      own.filter(({ passed }) => passed).length,
    ]),
  };
}
