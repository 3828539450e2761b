/**
 * Returns what the search reads of a page: no code. A generated page is found by its headings and by the first sentence below
 * each: with all fields and signatures, the index would be larger than the pages of the guides together.
 */
export function searchText(source: string, path: string): string {
  const prose = source.replace(/^```[^]*?^```$/gm, "");
  if (!/^(api|events|reference)\b/.test(path)) return withOtherWords(prose);
  const [frontmatter = ""] = /^---\n[^]*?\n---\n/.exec(prose) ?? [];
  const lines = prose.slice(frontmatter.length).split("\n");
  return withOtherWords([frontmatter, ...keptOf(path, lines)].join("\n\n"));
}

/** Adds the words of the line `alsoFoundAs` of the front matter, which a reader may search for and the page does not use. */
function withOtherWords(page: string): string {
  const [, words = ""] = /^alsoFoundAs: "(.*)"$/m.exec(page) ?? [];
  return page.replace(/^# .*\n/m, (heading) => `${heading}\n${words}\n`);
}
function keptOf(path: string, lines: readonly string[]): string[] {
  const headings = lines.filter((line) => /^#{1,3} /.test(line));
  // The pages of the events have what the catalog has, and a symbol has its name.
  if (path === "events.md" || path.startsWith("api/")) return headings.slice(0, 1);
  const isKept = path.startsWith("events/") ? headings.slice(0, 1) : headings;
  return isKept.flatMap((heading) => {
    const text = lines
      .slice(lines.indexOf(heading) + 1)
      .find((line) => line !== "" && !/^[#<|:]/.test(line));
    return [heading, text ?? ""];
  });
}
