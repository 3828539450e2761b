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
        "Why the packages are built as they are: a page for each choice that others will ask about.",
    },
    page([
      "# Decisions",
      "Each page tells what stood to be decided, what was, and what follows from it; figures come with the command that prints them.",
      items.join("\n"),
    ]),
  );
}
