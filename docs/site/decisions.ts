import { page, withFrontmatter } from "./markdown.ts";
import { decisionPages, titleOf } from "./sidebar.ts";

/** The page that lists the decisions. */
export function writeDecisions(): string {
  const items = decisionPages().map(
    (name) => `- [${titleOf(`decisions/${name}.md`)}](./${name}.md)`,
  );
  return withFrontmatter(
    {
      description:
        "Why the packages are built as they are: a page for each choice that readers are likely to ask about.",
    },
    page([
      "# Decisions",
      "Each page has the context of a decision, the decision and its consequences. The benchmarks write their figures to `bench/results`.",
      items.join("\n"),
    ]),
  );
}
