import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/packages.ts";

const PAGE = "docs/project/comparison.md";

/** Names a file, and how the head of one of its tables begins. */
const MARKED = /(<!-- table of (\S+): (.+) -->\n\n)(?:\|.*\n)*\n?/g;

/** Copies the tables of the benchmarks into the comparison, whose comments name them. Throws for a table that is missing. */
export function withTables(): Map<string, string> {
  const page = readFileSync(join(root, PAGE), "utf8");
  if (page.search(MARKED) < 0) throw new Error(`${PAGE} names no table.`);
  const changed = page.replace(MARKED, (_, mark: string, file: string, head: string) => {
    const tables = readFileSync(join(root, file), "utf8").match(/(?:^\|.*\n)+/gm) ?? [];
    const table = tables.find((each) => each.replace(/ +/g, " ").startsWith(`| ${head} |`));
    if (table === undefined) throw new Error(`${file} has no table of "${head}"`);
    return `${mark}${table}\n`;
  });
  return new Map([[PAGE, changed]]);
}
