// npm run generate -- comparison: copies the tables of the benchmarks into the comparison. npm run bench -- all measures them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/packages.ts";

export const comparison = join(root, "docs", "guides", "comparison.md");

/** Names a file, and how the head of one of its tables begins. */
const MARKED = /(<!-- table of (\S+): (.+) -->\n\n)(?:\|.*\n)*\n?/g;

/** Returns a page with the tables that its comments name. Throws for a table that is missing. */
export function withTables(page: string): string {
  return page.replace(MARKED, (_, mark: string, file: string, head: string) => {
    const tables = readFileSync(join(root, file), "utf8").match(/(?:^\|.*\n)+/gm) ?? [];
    const table = tables.find((each) => each.replace(/ +/g, " ").startsWith(`| ${head} |`));
    if (table === undefined) throw new Error(`${file} has no table of "${head}"`);
    return `${mark}${table}\n`;
  });
}

if (import.meta.main) writeFileSync(comparison, withTables(readFileSync(comparison, "utf8")));
