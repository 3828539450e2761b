import { readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { root } from "../../tools/packages.ts";
import { asText, resultPlace, resultTable } from "../../tools/results.ts";

const PAGES = ["docs/project/comparison.md", "docs/project/gauntlet.md"];

/** Names a file of results, and how the head of one of its tables begins. */
const MARKED = /(<!-- table of (\S+): (.+) -->\n)\n?(?:\|.*\n)*/g;

/** Names a file of results before the place and the day of its measurement. */
const MEASURED = /(<!-- place of (\S+) -->).*?(?=<!-- end -->)/g;

/** Copies the tables of the measurements into the pages whose comments name them. Throws for a table that is missing. */
export function withTables(): Map<string, string> {
  return new Map(PAGES.map((page) => [page, withTablesOf(page)]));
}

function withTablesOf(path: string): string {
  const page = readFileSync(join(root, path), "utf8");
  if (page.search(MARKED) < 0) throw new Error(`${path} names no table.`);
  const placed = page.replace(
    MEASURED,
    (_, mark: string, file: string) => mark + resultPlace(file),
  );
  return placed.replace(MARKED, (_, mark: string, file: string, names: string) => {
    const { head, rows } = resultTable(file, ...names.split(" | "));
    return `${mark}\n${markdownTable([head, ...rows.map((row) => row.map(asText))])}\n`;
  });
}
