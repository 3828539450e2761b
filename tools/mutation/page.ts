import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../packages.ts";

const PAGE = join(root, "docs", "project", "how-it-is-tested.md");
const BEGIN = "<!-- mutants: written by npm run mutation -->";
const END = "\n<!-- end of mutants -->";

/** The result of one run for a subject. */
interface Figures {
  readonly goal: number;
  readonly caught: number;
  readonly counted: number;
  readonly equivalent: number;
  /** The share of all mutants that was tried. 1 for all. */
  readonly share: number;
}

/** Replaces the row of a subject in the table of the page, or adds it. */
export function store(name: string, { goal, caught, counted, equivalent, share }: Figures): void {
  const tried = share === 1 ? String(counted) : `${counted}, a random sample`;
  const score = share === 1 ? percent(caught / counted) : interval(caught, counted);
  const row = `| ${name} | ${tried} | ${caught} | ${score} | ${goal}% | ${equivalent} |\n`;
  const page = readFileSync(PAGE, "utf8");
  const [before = "", after = ""] = page.split(END);
  const start = before.indexOf(`| ${name} |`, before.indexOf(BEGIN));
  const [head, rest] =
    start < 0
      ? [before, ""]
      : [before.slice(0, start), before.slice(before.indexOf("\n", start) + 1)];
  writeFileSync(PAGE, head + row + rest + END + after);
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
