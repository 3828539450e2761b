import { readFileSync } from "node:fs";
import { join } from "node:path";
import { page, withFrontmatter } from "./markdown.ts";
import { decisionPages, titleOf } from "./sidebar.ts";

const docs = join(import.meta.dirname, "..");

/** Writes the page that lists the decisions. */
export function writeDecisions(): string {
  const rows = decisionPages().map((name) => {
    const [, number, title] = /^(\d+)\. (.+)$/.exec(titleOf(`decisions/${name}.md`)) ?? [];
    return `| ${number} | [${title}](./${name}.md) | ${dateOf(name)} |`;
  });
  return withFrontmatter(
    {
      description:
        "Why the packages are built as they are: a page for each choice that readers are likely to ask about.",
    },
    page([
      "# Decisions",
      "Each page has the context of a decision, the decision and its consequences. The benchmarks write their figures to `bench/results`.",
      ["| number | decision | date |", "| --- | --- | --- |", ...rows].join("\n"),
    ]),
  );
}

/** Returns the date in the last line of a decision. */
function dateOf(name: string): string {
  const text = readFileSync(join(docs, "decisions", `${name}.md`), "utf8");
  const [, date] = /^\*Decided on (\d+ \w+ \d{4})\.\*$/m.exec(text) ?? [];
  if (date === undefined) throw new Error(`${name}.md has no line "*Decided on …*".`);
  return date;
}
