import type { Equivalent } from "./equivalent.ts";

/** The part of a Stryker report that is used. */
export interface Report {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>
  >;
}

interface Mutant {
  readonly id: string;
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mutant that no test caught. */
interface Survivor {
  readonly place: string;
  readonly line: string;
  readonly mutant: string;
}

export interface Score {
  readonly caught: number;
  /** Without mutants that are equivalent or do not compile. */
  readonly counted: number;
  readonly equivalent: number;
  readonly survivors: readonly Survivor[];
}

const CAUGHT = new Set(["Killed", "Timeout"]);
const SURVIVED = new Set(["Survived", "NoCoverage"]);

/** Counts the mutants of a report. Throws for an equivalent mutant whose line no longer exists. */
export function scoreOf(
  report: Report,
  equivalents: Readonly<Record<string, readonly Equivalent[]>>,
): Score {
  let caught = 0;
  let equivalent = 0;
  const survivors: Survivor[] = [];
  for (const [file, { source, mutants }] of Object.entries(report.files)) {
    const known = equivalents[file] ?? [];
    const stale = known.find(([part]) => !source.includes(part));
    if (stale !== undefined) throw new Error(`${file} has no such line: ${stale[0]}`);
    for (const each of mutants) {
      const { line, mutant } = change(source, each);
      const isSame = ([part, instead]: Equivalent) =>
        line.includes(part) &&
        (instead === undefined || line.replace(part, () => instead) === mutant);
      if (CAUGHT.has(each.status)) caught++;
      else if (each.status === "Ignored") equivalent++;
      else if (!SURVIVED.has(each.status)) continue;
      else if (known.some(isSame)) equivalent++;
      else survivors.push({ place: `${file}:${each.location.start.line}`, line, mutant });
    }
  }
  return { caught, counted: caught + survivors.length, equivalent, survivors };
}

/** Returns the first mutated line, before and after. */
function change(source: string, { location, replacement = "" }: Mutant) {
  const { start, end } = location;
  const lines = source.split("\n");
  const first = lines[start.line - 1] ?? "";
  const last = lines[end.line - 1] ?? "";
  const changed = first.slice(0, start.column - 1) + replacement + last.slice(end.column - 1);
  return { line: first.trim(), mutant: changed.trim().split("\n")[0] ?? "" };
}
