import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../packages.ts";

export const PAGE = join(root, "docs", "project", "how-it-is-tested.md");
const RESULTS = join(import.meta.dirname, "results.json");
const BEGIN = "<!-- mutants: written by npm run mutation -->";
const END = "<!-- end of mutants -->";

/** The result of one run for a subject. */
export interface Figures {
  readonly goal: number;
  readonly caught: number;
  readonly counted: number;
  readonly equivalent: number;
  /** The share of all mutants that was tried. 1 for all. */
  readonly share: number;
}

/** The figures of each measured subject. */
export type Results = Readonly<Record<string, Figures>>;

export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS, "utf8")) as Results;
}

/** Replaces the figures of a subject, in the file and on the page. */
export function store(name: string, figures: Figures): void {
  const results = { ...readResults(), [name]: figures };
  writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8"), results));
}

/** Returns the page with the table of these results between its two marks. */
export function withTable(page: string, results: Results): string {
  const [before = "", rest = ""] = page.split(BEGIN);
  const [, after = ""] = rest.split(END);
  const rows = Object.entries(results).map(
    ([name, { goal, caught, counted, equivalent, share }]) => {
      const tried = share === 1 ? String(counted) : `${counted}, a random sample`;
      const score = share === 1 ? percent(caught / counted) : interval(caught, counted);
      return `| ${name} | ${tried} | ${caught} | ${score} | ${goal}% | ${equivalent} |`;
    },
  );
  const head = [
    "| part | mutants | caught | score | goal | equivalent |",
    "| --- | --- | --- | --- | --- | --- |",
  ];
  return `${before}${BEGIN}\n\n${[...head, ...rows].join("\n")}\n\n${END}${after}`;
}

/** Returns the caught share of a sample, and the 95% confidence interval of that of all mutants (Wilson). */
export function interval(caught: number, counted: number): string {
  const z = 1.96;
  const share = caught / counted;
  const middle = (share + z ** 2 / (2 * counted)) / (1 + z ** 2 / counted);
  const half =
    (z * Math.sqrt((share * (1 - share)) / counted + z ** 2 / (4 * counted ** 2))) /
    (1 + z ** 2 / counted);
  return `${percent(share)} (${percent(middle - half)} to ${percent(middle + half)})`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
